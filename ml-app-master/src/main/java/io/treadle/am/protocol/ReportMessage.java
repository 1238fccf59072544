// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.ProgressLine;
import io.treadle.core.wire.ResourcesFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a runner says of its worker, about once a second.
 *
 * @param epoch the gang start that {@code state} speaks of; 0 before the first
 * @param masterPort a port that was free when it was picked for this epoch, for the case that this worker gets rank 0
 * @param samples samples done by this worker since the job's first start; -1 before its first progress line
 * @param batchSize samples of each of the worker's gradient passes; 0 where unknown
 * @param passes gradient passes of a step; 0 where the worker does not say
 * @param progressAgeSeconds how long ago the last progress line was written, by the clock of the worker's host
 * @param cpuSeconds CPU time of all workers that this runner started
 * @param vcoreSeconds vcores that the container held times how long all those workers ran with them
 * @param coresPerVcore cores that one vcore stands for on this node
 * @param residentMiB resident memory of all processes of the container; 0 where it cannot be told
 * @param sizes what {@code resources.json} says; empty where there is none yet
 * @param controlled whether the node writes {@code resources.json}; else the runner needs the sizes in the answer
 * @param checkpoint the last checkpoint that the worker named; empty for none
 * @param answeredEpoch the last command that the worker answered; 0 for none
 * @param refused why the worker cannot obey the command that it answered last; empty where it can
 * @param data what the worker says of the data that it reads
 * @param energy what the container's GPUs have spent; empty where the node does not say, or the container has none
 * @param problems counts of what was wrong with the progress file, and with the node's word on energy, by kind
 * @param readings progress between the last report and {@code samples}, by time: speed is measured better by many
 */
public record ReportMessage(
        String containerId,
        State state,
        int epoch,
        int masterPort,
        long samples,
        long step,
        long batchSize,
        long passes,
        double progressAgeSeconds,
        double cpuSeconds,
        double vcoreSeconds,
        double coresPerVcore,
        long residentMiB,
        Optional<ResourcesFile> sizes,
        boolean controlled,
        String checkpoint,
        long answeredEpoch,
        String refused,
        Optional<DataReport> data,
        Optional<Energy> energy,
        Map<String, Long> problems,
        List<Reading> readings) {
    /** The kind of problem that says: the runner cannot see the directory into which the node writes. */
    public static final String CONTROL_DIRECTORY_HIDDEN = "control directory hidden";

    /** Of one report; a worker writes about ten lines a second. */
    public static final int MOST_READINGS = 32;

    /**
     * @param samples done by the worker since the job's first start
     * @param ageSeconds how long ago it said so, by the clock of its host
     */
    public record Reading(long samples, double ageSeconds) {}

    /**
     * @param file the node's word
     * @param ageSeconds how long ago it was read from the devices, by the clock of the node
     */
    public record Energy(EnergyFile file, double ageSeconds) {}

    /** What the worker does. */
    public enum State {
        /** Not started in this epoch. */
        WAITING,
        RUNNING,
        /** Ended in this epoch. */
        ENDED
    }

    public ReportMessage {
        problems = Map.copyOf(problems);
        readings = List.copyOf(readings);
    }

    public String toJson() {
        ObjectNode json = Json.object()
                .put("containerId", containerId)
                .put("state", state.name())
                .put("epoch", epoch)
                .put("masterPort", masterPort)
                .put("samples", samples)
                .put("step", step)
                .put("batchSize", batchSize)
                .put("passes", passes)
                .put("progressAgeSeconds", progressAgeSeconds)
                .put("cpuSeconds", cpuSeconds)
                .put("vcoreSeconds", vcoreSeconds)
                .put("coresPerVcore", coresPerVcore)
                .put("residentMiB", residentMiB)
                .put("controlled", controlled)
                .put("checkpoint", checkpoint)
                .put("answeredEpoch", answeredEpoch)
                .put("refused", refused);
        sizes.ifPresent(s -> json.put("sizes", s.toJson()));
        data.ifPresent(d -> json.put("data", d.toNode().toString()));
        energy.ifPresent(e -> json.put("energy", e.file().toJson()).put("energyAgeSeconds", e.ageSeconds()));
        ObjectNode counts = json.putObject("problems");
        problems.forEach(counts::put);
        ArrayNode array = json.putArray("readings");
        readings.forEach(r -> array.addObject().put("samples", r.samples()).put("ageSeconds", r.ageSeconds()));
        return json.toString();
    }

    /** @throws io.treadle.core.wire.WireFormatException if the text is no such message */
    public static ReportMessage fromJson(String text) {
        ObjectNode json = Json.parse("report message", text);
        Map<String, Long> problems = new LinkedHashMap<>();
        json.path("problems")
                .fields()
                .forEachRemaining(e -> problems.put(e.getKey(), e.getValue().asLong()));
        return new ReportMessage(
                Json.text(json, "containerId"),
                Json.word(json, "state", State.class),
                Json.smallInteger(json, "epoch"),
                Json.smallInteger(json, "masterPort"),
                Json.integer(json, "samples", -1, ProgressLine.MOST),
                Json.integer(json, "step"),
                Json.integer(json, "batchSize"),
                Json.integer(json, "passes"),
                Json.number(json, "progressAgeSeconds"),
                Json.number(json, "cpuSeconds"),
                Json.number(json, "vcoreSeconds"),
                Json.number(json, "coresPerVcore"),
                Json.integer(json, "residentMiB"),
                json.hasNonNull("sizes")
                        ? Optional.of(ResourcesFile.fromJson(Json.text(json, "sizes")))
                        : Optional.empty(),
                json.path("controlled").asBoolean(),
                Json.text(json, "checkpoint"),
                Json.integer(json, "answeredEpoch"),
                Json.text(json, "refused"),
                json.hasNonNull("data") ? Optional.of(DataReport.fromJson(Json.text(json, "data"))) : Optional.empty(),
                json.hasNonNull("energy")
                        ? Optional.of(new Energy(
                                EnergyFile.fromJson(Json.text(json, "energy")), Json.number(json, "energyAgeSeconds")))
                        : Optional.empty(),
                problems,
                readings(json.path("readings")));
    }

    private static List<Reading> readings(JsonNode array) {
        List<Reading> readings = new ArrayList<>();
        for (JsonNode item : array) {
            if (readings.size() < MOST_READINGS && item instanceof ObjectNode reading) {
                readings.add(new Reading(
                        Json.integer(reading, "samples", 0, ProgressLine.MOST), Json.number(reading, "ageSeconds")));
            }
        }
        return readings;
    }
}
