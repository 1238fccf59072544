// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.spec.JobSpec.AppMaster;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.QueueOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A service that answers queries, as its user wrote it, with every default filled in (docs/spec/service-spec.md).
 *
 * @param name shown in the RM UI
 * @param queue leaf queue to submit to; empty for YARN's default
 * @param mode who takes queries
 * @param policy which rule places tasks: a name of {@link io.treadle.core.query.Dispatchers}
 * @param order of the tasks that wait on a worker; where it is not given, that of the policy
 */
public record ServiceSpec(
        String name,
        String queue,
        int maxAmAttempts,
        AppMaster appMaster,
        Mode mode,
        String policy,
        Eviction eviction,
        Optional<QueueOrder> order,
        Workers workers,
        List<ModelSpec> models,
        List<WorkflowSpec> workflows) {
    public ServiceSpec {
        models = List.copyOf(models);
        workflows = List.copyOf(workflows);
    }

    /** Who takes queries, and has them answered. */
    public enum Mode {
        /** The ApplicationMaster alone. */
        CENTRAL,
        /** Each worker, too. */
        PEER;

        /** @throws IllegalArgumentException if there is none of that name; the message names those that there are */
        static Mode of(String text) {
            return switch (text) {
                case "central" -> CENTRAL;
                case "peer" -> PEER;
                default -> throw new IllegalArgumentException("must be one of central, peer");
            };
        }
    }

    /**
     * Workers are alike.
     *
     * @param count how many there are at first
     * @param min how many there are at least
     * @param max how many there are at most
     * @param gpusPerWorker whole GPUs of each
     * @param gpuMemoryMiB slice of one GPU's memory instead of whole GPUs, MiB; 0 for none
     * @param memoryMiB of the container, MiB
     * @param modelMemoryMiB what models may take of a worker's memory, or of its GPU's where it has one, MiB; empty: all
     *     of its slice of a GPU, or of the first of its GPUs, or half of the container's
     * @param container the image that they run in; empty for plain processes of the node
     */
    public record Workers(
            int count,
            int min,
            int max,
            int gpusPerWorker,
            long gpuMemoryMiB,
            long vcores,
            long memoryMiB,
            OptionalLong modelMemoryMiB,
            Optional<ContainerSpec> container) {
        /** Plain processes of the node. */
        public Workers(
                int count,
                int min,
                int max,
                int gpusPerWorker,
                long gpuMemoryMiB,
                long vcores,
                long memoryMiB,
                OptionalLong modelMemoryMiB) {
            this(count, min, max, gpusPerWorker, gpuMemoryMiB, vcores, memoryMiB, modelMemoryMiB, Optional.empty());
        }

        /** What of the container's memory is for the worker's own heap, MiB: models and the JVM itself need the rest. */
        public long heapMiB() {
            return Math.max(memoryMiB - modelMemory(0), memoryMiB / 4) / 2;
        }

        /**
         * What models may take together, MiB.
         *
         * @param gpuMiB of the first of its whole GPUs, MiB; 0 where it has none, or it is not known
         */
        public long modelMemory(long gpuMiB) {
            if (modelMemoryMiB.isPresent()) {
                return modelMemoryMiB.getAsLong();
            }
            if (gpuMemoryMiB > 0) {
                return gpuMemoryMiB;
            }
            return gpuMiB > 0 ? gpuMiB : memoryMiB / 2;
        }
    }

    /**
     * A model.
     *
     * @param file path or URI of an ONNX file, on any file system that Hadoop knows or this machine's
     * @param memoryMiB what it takes of a worker's memory, MiB; empty: it is measured
     */
    public record ModelSpec(String name, String file, OptionalLong memoryMiB) {
        /** What the file is called in workers' directories. */
        public String link() {
            return "model-" + name + ".onnx";
        }
    }

    /**
     * A kind of query.
     *
     * @param inputs what it is asked with
     * @param tasks each after those whose outputs it needs
     * @param outputs what it answers with, by name
     */
    public record WorkflowSpec(
            String name, List<TensorSpec> inputs, List<TaskSpec> tasks, Map<String, Source> outputs) {
        public WorkflowSpec {
            inputs = List.copyOf(inputs);
            tasks = List.copyOf(tasks);
            outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
        }
    }

    /**
     * A step: a model that runs once.
     *
     * @param inputs where each input of the model comes from, by the names that the model has for them
     */
    public record TaskSpec(String name, String model, Map<String, Source> inputs) {
        public TaskSpec {
            inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        }
    }

    /**
     * Where a tensor comes from.
     *
     * @param task which gave it out; empty where it is an input of the query
     * @param tensor its name there
     */
    public record Source(Optional<String> task, String tensor) {
        @Override
        public String toString() {
            return task.map(name -> name + "." + tensor).orElse(tensor);
        }
    }
}
