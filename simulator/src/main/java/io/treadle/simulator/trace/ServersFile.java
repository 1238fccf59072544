// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.Layer;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.ServerLinks;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.files.OutFile;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Writes jobs with workers and parameter servers, {@code docs/spec/servers-trace.md}. */
public final class ServersFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Beyond it a double no longer tells whole numbers apart. */
    private static final double MOST_WHOLE = 1L << 53;

    private ServersFile() {}

    /**
     * Writes them in their order.
     *
     * @param progress is told how many are written
     * @throws io.treadle.simulator.input.InputException if the file cannot be written
     * @throws IllegalArgumentException if a job has no model, or no group {@code worker} or {@code ps}
     */
    public static void write(Path file, List<TraceJob> jobs, LongConsumer progress) {
        OutFile.write(file, out -> {
            long written = 0;
            for (TraceJob job : jobs) {
                out.write(line(job));
                out.write('\n');
                progress.accept(++written);
            }
        });
    }

    private static String line(TraceJob job) throws JsonProcessingException {
        Sizing sizing = job.sizing();
        LayeredPsModel model = sizing.model()
                .orElseThrow(() -> new IllegalArgumentException("job '" + job.id() + "' has no model of its speed"));
        ObjectNode line = JSON.createObjectNode();
        line.put(ServersReader.VERSION, 1).put("id", job.id());
        line.put("submitSeconds", BigDecimal.valueOf(job.submitMs(), 3).stripTrailingZeros());
        text(line, "queue", job.queue());
        text(line, "user", job.user());
        if (job.attributes().priority() > 0) {
            line.put("priority", job.attributes().priority());
        }
        scaled(line, job, ServersReader.WORKER);
        scaled(line, job, ServersReader.SERVER);
        others(line, job);
        line.put("mode", name(ServerModels.MODES, model.mode()));
        line.put("overlap", name(ServerModels.OVERLAPS, model.overlap()));
        number(line, "batch", model.batch());
        number(line, "iterations", job.work().samples() / model.batch());
        layers(line.putArray("layers"), model.layers());
        links(line.putObject("links"), model.links());
        if (!sizing.utility().equals(Utility.UNKNOWN)) {
            utility(line.putObject("utility"), sizing.utility());
        }
        sizing.cap().ifPresent(cap -> resources(line.putObject("cap"), cap));
        return JSON.writeValueAsString(line);
    }

    private static void scaled(ObjectNode line, TraceJob job, String name) {
        TaskGroup group = job.groups().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("job '" + job.id() + "' has no group '" + name + "' of tasks"));
        resources(line.putObject(name).put("min", group.min()).put("max", group.max()), group.ask());
    }

    private static void others(ObjectNode line, TraceJob job) {
        for (TaskGroup group : job.groups()) {
            if (!group.name().equals(ServersReader.WORKER) && !group.name().equals(ServersReader.SERVER)) {
                resources(
                        line.withArray("others")
                                .addObject()
                                .put("name", group.name())
                                .put("count", group.min()),
                        group.ask());
            }
        }
    }

    private static void layers(ArrayNode list, List<Layer> layers) {
        for (Layer layer : layers) {
            ObjectNode one = list.addObject();
            number(one, "forwardSecondsPerSample", layer.forwardSecondsPerSample());
            number(one, "backwardSecondsPerSample", layer.backwardSecondsPerSample());
            number(one, "forwardSeconds", layer.forwardSeconds());
            number(one, "backwardSeconds", layer.backwardSeconds());
            number(one, "gradientBytes", layer.gradientBytes());
        }
    }

    private static void links(ObjectNode to, ServerLinks links) {
        number(to, "workerBytesPerSecond", links.workerBytesPerSecond());
        number(to, "serverBytesPerSecond", links.serverBytesPerSecond());
        number(to, "updateSecondsPerByte", links.updateSecondsPerByte());
        number(to, "workerSeconds", links.workerSeconds());
        number(to, "serverSeconds", links.serverSeconds());
    }

    private static void utility(ObjectNode to, Utility utility) {
        number(to, "weight", utility.weight());
        number(to, "decayPerHour", utility.decayPerHour());
        utility.targetHours().ifPresent(hours -> number(to, "targetHours", hours));
    }

    private static void resources(ObjectNode to, ResourceVector amounts) {
        to.put("gpus", amounts.gpus()).put("vcores", amounts.vcores()).put("memoryMiB", amounts.memoryMiB());
    }

    private static void text(ObjectNode to, String field, String value) {
        if (!value.isEmpty()) {
            to.put(field, value);
        }
    }

    /** What is endless is no limit, and left out. */
    private static void number(ObjectNode to, String field, double value) {
        if (value == Math.rint(value) && Math.abs(value) <= MOST_WHOLE) {
            to.put(field, (long) value);
        } else if (!Double.isInfinite(value)) {
            to.put(field, value);
        }
    }

    private static <T> String name(Map<String, T> words, T value) {
        return words.entrySet().stream()
                .filter(word -> word.getValue().equals(value))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
