// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import io.treadle.am.query.tensor.TensorSpec;
import java.util.List;
import java.util.Map;

/** What the master of a service and its workers tell each other; tensors travel beside it in its {@link Frame}. */
public sealed interface Message {
    /** Of this protocol. */
    int VERSION = 1;

    /**
     * The first on each connection, from whoever connects.
     *
     * @param secret of the service
     * @param isMaster whether it is the master; else another worker
     */
    record Hello(int version, String secret, boolean isMaster) implements Message {
        /** Secrets are in no log. */
        @Override
        public String toString() {
            return "Hello[version=" + version + ", isMaster=" + isMaster + "]";
        }
    }

    /**
     * Master to worker: what it is to have and how it is to work; before all others.
     *
     * @param memoryKb what models may take together
     * @param eviction a name of {@link io.treadle.core.query.Eviction}
     * @param order a name of {@link io.treadle.core.query.QueueOrder}
     */
    record Setup(double memoryKb, String eviction, String order, List<ModelFile> models) implements Message {
        public Setup {
            models = List.copyOf(models);
        }
    }

    /**
     * A model that a worker can load.
     *
     * @param kb what it takes
     * @param path where it is on the worker's machine
     */
    record ModelFile(int id, String name, double kb, String path) {}

    /**
     * Master to worker: a task is to run once its inputs are there.
     *
     * @param runMs how long it is expected to run
     * @param rankMs what is left of the query from it on
     * @param arrivalMs when the query came, by the master's clock
     * @param inputs names of all that it needs
     */
    record Run(
            String query,
            int task,
            String name,
            int model,
            double runMs,
            double rankMs,
            double arrivalMs,
            List<String> inputs)
            implements Message {
        public Run {
            inputs = List.copyOf(inputs);
        }
    }

    /** To a worker, from the master or another worker: inputs of a task, by the names that its model has for them. */
    record Feed(String query, int task) implements Message {}

    /**
     * Master to worker: outputs of a task that it has run go to a worker.
     *
     * @param host empty where it is the same worker
     * @param to the task that gets them
     * @param names of the outputs, by what they are called by the task that gets them
     */
    record Pass(String query, int task, String host, int port, int to, Map<String, String> names) implements Message {
        public Pass {
            names = Map.copyOf(names);
        }
    }

    /** Master to worker: outputs of a task that it has run are to come back. */
    record Return(String query, int task, List<String> names) implements Message {
        public Return {
            names = List.copyOf(names);
        }
    }

    /** Master to worker: nothing more of a query is needed. */
    record Forget(String query) implements Message {}

    /** Master to worker, before {@link Setup}: each of the models is to be loaded once, to see what it is and takes. */
    record Measure(List<ModelFile> models) implements Message {
        public Measure {
            models = List.copyOf(models);
        }
    }

    /**
     * Worker to master: what one of the models of {@link Measure} is.
     *
     * @param failure why it cannot be loaded; empty where it can
     * @param kb of memory that it takes
     * @param ms how long it took to load
     */
    record Measured(int model, String failure, double kb, double ms, List<TensorSpec> inputs, List<TensorSpec> outputs)
            implements Message {
        public Measured {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /** Worker to master: it is as {@link Setup} says, and has nothing of an earlier master's any more. */
    record Ready() implements Message {}

    /**
     * Worker to master: how it is.
     *
     * @param models ids of those that it holds or loads
     */
    record State(double waitMs, List<Integer> models, double freeKb, int queued) implements Message {
        public State {
            models = List.copyOf(models);
        }
    }

    /**
     * Worker to master: a task has ended.
     *
     * @param failure why it failed; empty where it has not
     * @param lacksModel whether it failed since this worker could not load its model: another one may
     * @param outputKb of each output, by name
     */
    record Ended(
            String query,
            int task,
            String failure,
            boolean lacksModel,
            double queuedMs,
            double modelMs,
            double runMs,
            Map<String, Double> outputKb)
            implements Message {
        public Ended {
            outputKb = Map.copyOf(outputKb);
        }
    }

    /** Worker to master: what {@link Return} asked for. */
    record Returned(String query, int task) implements Message {}

    /**
     * Worker to master: outputs of a task could not be passed on.
     *
     * @param to the task that does not get them; the same where the master does not
     * @param areKept whether the worker has them; else they are nowhere
     */
    record Lost(String query, int task, int to, boolean areKept, String why) implements Message {}

    /**
     * Worker to master: a model is there.
     *
     * @param ms how long it took
     */
    record Loaded(int model, double ms) implements Message {}
}
