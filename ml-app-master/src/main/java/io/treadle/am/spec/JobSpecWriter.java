// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SizingSpec;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes a specification as JSON in the format that {@link JobSpecParser} reads. */
final class JobSpecWriter {
    /** Plain ASCII, because YAML refuses some characters that JSON would let through unescaped. */
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JobSpecWriter() {}

    static String write(JobSpec spec) {
        ObjectNode job = MAPPER.createObjectNode();
        job.put("version", JobSpecParser.VERSION).put("name", spec.name());
        job.put("queue", spec.queue()).put("modelTag", spec.modelTag());
        job.put("batchSize", spec.batchSize()).put("totalSamples", spec.totalSamples());
        job.put("elastic", spec.elastic()).put("minRuntime", spec.minRuntimeSeconds());
        job.put("maxRestarts", spec.maxRestarts()).put("maxAmAttempts", spec.maxAmAttempts());
        environment(job, spec.env());
        files(job.putArray("files"), spec.files());
        files(job.putArray("archives"), spec.archives());
        spec.checkpointDir().ifPresent(directory -> job.put("checkpointDir", directory));
        job.putObject("appMaster")
                .put("vcores", spec.appMaster().vcores())
                .put("memory", spec.appMaster().memoryMiB());
        job.putObject("profiling")
                .put("enabled", spec.profiling().enabled())
                .put("maxSeconds", spec.profiling().maxSeconds())
                .put("updates", spec.profiling().updates().name().toLowerCase(Locale.ROOT));
        sizing(job, spec.sizing());
        ObjectNode tasks = job.putObject("tasks");
        spec.groups().forEach(group -> group(tasks.putObject(group.name()), group));
        try {
            // YAML refuses DEL, the one ASCII character that JSON need not escape.
            return MAPPER.writerWithDefaultPrettyPrinter()
                            .writeValueAsString(job)
                            .replace("\u007f", "\\u007f") + "\n";
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sizing(ObjectNode job, SizingSpec sizing) {
        ObjectNode utility = job.putObject("utility");
        sizing.weight().ifPresent(weight -> utility.put("weight", weight));
        utility.put("decayPerHour", sizing.decayPerHour());
        sizing.targetHours().ifPresent(hours -> utility.put("targetHours", hours));
        ResourceVector cap = sizing.cap();
        if (!cap.isZero()) {
            ObjectNode node = job.putObject("cap");
            limit(node, "gpus", cap.gpus());
            limit(node, "gpuMemory", cap.gpuMemoryMiB());
            limit(node, "vcores", cap.vcores());
            limit(node, "memory", cap.memoryMiB());
            limit(node, "storageBandwidth", cap.storageMBps());
            limit(node, "power", cap.watts());
        }
    }

    private static void limit(ObjectNode node, String name, long amount) {
        if (amount > 0) {
            node.put(name, amount);
        }
    }

    private static void group(ObjectNode node, TaskGroup group) {
        node.put("count", group.count()).put("min", group.min()).put("joins", group.joins());
        if (group.gpuMemoryMiB() > 0) {
            node.put("gpuMemory", group.gpuMemoryMiB());
        } else {
            node.put("gpusPerWorker", group.gpusPerWorker());
        }
        if (!group.gpuModels().isEmpty()) {
            ArrayNode models = node.putArray("gpuModel");
            group.gpuModels().forEach(models::add);
        }
        node.put("vcores", group.vcores()).put("memory", group.memoryMiB());
        node.put("storageBandwidth", group.storageMBps()).put("power", group.watts());
        node.put("command", group.command());
        environment(node, group.env());
        group.container().ifPresent(container -> container(node.putObject(ContainerReader.FIELD), container));
    }

    private static void container(ObjectNode node, ContainerSpec container) {
        node.put("runtime", container.runtime().word()).put("image", container.image());
        ArrayNode mounts = node.putArray("mounts");
        container.mounts().forEach(mount -> mounts.add(mount.toString()));
        container.network().ifPresent(network -> node.put("network", network));
    }

    private static void environment(ObjectNode owner, Map<String, String> env) {
        if (!env.isEmpty()) {
            ObjectNode node = owner.putObject("env");
            new TreeMap<>(env).forEach(node::put);
        }
    }

    private static void files(ArrayNode array, List<FileSpec> files) {
        files.forEach(file -> array.add(file.path() + "#" + file.link()));
    }
}
