// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Pace;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.wire.Fields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** A job in {@link SnapshotRecord}. */
final class JobJson {
    private static final long LEAST = Long.MIN_VALUE;
    private static final long MOST = Long.MAX_VALUE;
    private static final double MOST_NUMBER = Double.MAX_VALUE;

    private JobJson() {}

    static void put(ObjectNode json, JobView job) {
        json.put("id", job.id())
                .put("submitMs", job.submitMs())
                .put("profiling", job.profiling())
                .put("priority", job.priority());
        ArrayNode groups = json.putArray("groups");
        for (TaskGroup group : job.groups()) {
            ObjectNode node = groups.addObject()
                    .put("name", group.name())
                    .put("min", group.min())
                    .put("max", group.max());
            ResourceJson.put(node, "ask", group.ask());
            ArrayNode models = node.putArray("gpuModels");
            group.gpuModels().stream().sorted().forEach(models::add);
        }
        ArrayNode tasks = json.putArray("tasks");
        for (RunningTask task : job.tasks()) {
            ObjectNode node = tasks.addObject()
                    .put("id", task.id())
                    .put("group", task.group())
                    .put("nodeId", task.nodeId());
            ResourceJson.put(node, "size", task.size());
            ResourceJson.put(node, task.devices());
        }
        job.profile().ifPresent(profile -> put(json.putObject("profile"), profile));
        job.energy().ifPresent(energy -> PowerJson.put(json.putObject("energy"), energy));
        if (!job.sizing().equals(Sizing.UNKNOWN)) {
            SizingJson.put(json.putObject("sizing"), job.sizing());
        }
        put(json.putObject("progress"), job.progress());
        ArrayNode avoided = json.putArray("avoidedNodes");
        job.avoidedNodes().stream().sorted().forEach(avoided::add);
        job.foretoldSeconds().ifPresent(seconds -> json.put("foretoldSeconds", seconds));
    }

    private static void put(ObjectNode json, SensitivityMatrix profile) {
        ArrayNode vcores = json.putArray("vcores");
        ArrayNode memory = json.putArray("memoryMiB");
        ArrayNode rows = json.putArray("speeds");
        for (long m : profile.memoryMiB()) {
            memory.add(m);
        }
        for (long c : profile.vcores()) {
            vcores.add(c);
            ObjectNode row = rows.addObject();
            ArrayNode speeds = row.putArray("samplesPerSecond");
            ArrayNode storage = row.putArray("storageMBps");
            for (long m : profile.memoryMiB()) {
                speeds.add(profile.at(c, m));
                storage.add(profile.storageMBps(c, m));
            }
        }
    }

    private static void put(ObjectNode json, Progress progress) {
        json.put("samplesDone", progress.samplesDone())
                .put("samplesTotal", progress.samplesTotal())
                .put("secondsPerSample", progress.secondsPerSample())
                .put("attainedGpuSeconds", progress.attainedGpuSeconds())
                .put("speedup", progress.speedup())
                .put("sinceMs", progress.pace().sinceMs())
                .put("samplesPerSecond", progress.pace().samplesPerSecond())
                .put("gpus", progress.pace().gpus());
    }

    static JobView read(Fields json) {
        return new JobView(
                json.text("id"),
                json.integer("submitMs", LEAST, MOST),
                json.objects("groups").stream()
                        .map(g -> new TaskGroup(
                                g.text("name"),
                                (int) g.integer("min", 0, Integer.MAX_VALUE),
                                (int) g.integer("max", 0, Integer.MAX_VALUE),
                                ResourceJson.read(g, "ask"),
                                Set.copyOf(g.texts("gpuModels"))))
                        .toList(),
                json.objects("tasks").stream()
                        .map(t -> new RunningTask(
                                t.text("id"),
                                t.text("group"),
                                t.text("nodeId"),
                                ResourceJson.read(t, "size"),
                                ResourceJson.devices(t)))
                        .toList(),
                json.has("profile") ? Optional.of(matrix(json.object("profile"))) : Optional.empty(),
                json.flag("profiling", false),
                progress(json.object("progress")),
                Set.copyOf(json.texts("avoidedNodes")),
                json.has("foretoldSeconds")
                        ? OptionalDouble.of(json.number("foretoldSeconds", -MOST_NUMBER, MOST_NUMBER))
                        : OptionalDouble.empty(),
                (int) json.integer("priority", Integer.MIN_VALUE, Integer.MAX_VALUE),
                json.has("energy") ? Optional.of(PowerJson.energy(json.object("energy"))) : Optional.empty(),
                json.has("sizing") ? SizingJson.read(json.object("sizing")) : Sizing.UNKNOWN);
    }

    private static SensitivityMatrix matrix(Fields json) {
        List<Fields> rows = json.objects("speeds");
        return new SensitivityMatrix(
                json.longs("vcores"),
                json.longs("memoryMiB"),
                rows.stream().map(row -> row.numbers("samplesPerSecond")).toArray(double[][]::new),
                rows.stream().map(row -> row.numbers("storageMBps")).toArray(double[][]::new));
    }

    private static Progress progress(Fields json) {
        return new Progress(
                number(json, "samplesDone"),
                number(json, "samplesTotal"),
                number(json, "secondsPerSample"),
                number(json, "attainedGpuSeconds"),
                number(json, "speedup"),
                new Pace(
                        json.integer("sinceMs", LEAST, MOST),
                        number(json, "samplesPerSecond"),
                        json.integer("gpus", LEAST, MOST)));
    }

    private static double number(Fields json, String name) {
        return json.number(name, -MOST_NUMBER, MOST_NUMBER);
    }
}
