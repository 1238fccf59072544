// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.process.Outcome;
import io.treadle.am.protocol.Json;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a job's next ApplicationMaster has to know, {@code am-state.json} in the staging directory.
 *
 * @param epoch the current start of the gang
 * @param running whether that start was given to the workers
 * @param masterAddress host of rank 0 in it
 * @param restarts starts after the first
 * @param failures of them, those that the job is to blame for
 * @param slots in the order of the ranks whose samples they count
 * @param startedMs when the gang first ran, ms since the epoch; 0 before
 * @param profile the points measured so far
 * @param outcome how the job ended; then only the ResourceManager has to be told
 * @param lastCommand number of the last command to workers; 0 for none
 */
record SavedState(
        int epoch,
        boolean running,
        String masterAddress,
        int masterPort,
        int restarts,
        int failures,
        long startedMs,
        List<Slot> slots,
        Optional<ProfileRecord> profile,
        List<ResizeLog.Entry> resizes,
        Optional<Outcome> outcome,
        long lastCommand) {
    private static final int SCHEMA = 1;

    /** Ids of the containers whose workers have yet to do their part, and whose runners can be found; none where the job is over. */
    Set<String> containers() {
        return outcome.isPresent()
                ? Set.of()
                : slots.stream()
                        .filter(slot -> !slot.done() && slot.runnerPort() > 0)
                        .map(Slot::containerId)
                        .collect(Collectors.toSet());
    }

    /**
     * @param requestId the task group's request id
     * @param index place in the task group
     * @param containerId empty where it has none
     * @param runnerHost where its runner listens; empty before it registered
     * @param member whether it belongs to the current start
     * @param samples done by the worker as last reported
     * @param originalVcores what it had before it was profiled; 0 where it was not
     * @param leaving whether its worker was asked to leave the others
     * @param joinedAfter where it came to a start that ran already, samples that its place had done before; else -1
     * @param done whether its worker has done its part of the current start; its container may have ended after that
     */
    record Slot(
            int requestId,
            int index,
            String containerId,
            String runnerHost,
            int runnerPort,
            boolean member,
            long samples,
            long originalVcores,
            boolean leaving,
            long joinedAfter,
            boolean done) {}

    SavedState {
        slots = List.copyOf(slots);
        resizes = List.copyOf(resizes);
    }

    String toJson() {
        ObjectNode json = Json.object()
                .put("schema", SCHEMA)
                .put("epoch", epoch)
                .put("running", running)
                .put("masterAddress", masterAddress)
                .put("masterPort", masterPort)
                .put("restarts", restarts)
                .put("failures", failures)
                .put("startedMs", startedMs)
                .put("lastCommand", lastCommand);
        ArrayNode array = json.putArray("slots");
        for (Slot slot : slots) {
            array.addObject()
                    .put("requestId", slot.requestId())
                    .put("index", slot.index())
                    .put("containerId", slot.containerId())
                    .put("runnerHost", slot.runnerHost())
                    .put("runnerPort", slot.runnerPort())
                    .put("member", slot.member())
                    .put("samples", slot.samples())
                    .put("originalVcores", slot.originalVcores())
                    .put("leaving", slot.leaving())
                    .put("joinedAfter", slot.joinedAfter())
                    .put("done", slot.done());
        }
        profile.ifPresent(p -> json.put("profile", p.toJson()));
        ArrayNode log = json.putArray("resizes");
        resizes.forEach(entry -> log.add(entry.toNode()));
        outcome.ifPresent(
                o -> json.putObject("outcome").put("succeeded", o.succeeded()).put("diagnostics", o.diagnostics()));
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    static SavedState fromJson(String text) {
        ObjectNode json = Json.parse("am-state.json", text);
        if (Json.integer(json, "schema") > SCHEMA) {
            throw new WireFormatException("am-state.json has schema " + Json.integer(json, "schema")
                    + ", this Treadle reads up to " + SCHEMA);
        }
        List<Slot> slots = new ArrayList<>();
        for (JsonNode item : json.path("slots")) {
            if (item instanceof ObjectNode slot) {
                slots.add(new Slot(
                        Json.smallInteger(slot, "requestId"),
                        Json.smallInteger(slot, "index"),
                        Json.text(slot, "containerId"),
                        Json.text(slot, "runnerHost"),
                        Json.smallInteger(slot, "runnerPort"),
                        slot.path("member").asBoolean(),
                        Json.integer(slot, "samples"),
                        Json.integer(slot, "originalVcores"),
                        slot.path("leaving").asBoolean(),
                        slot.path("joinedAfter").asLong(-1),
                        slot.path("done").asBoolean()));
            }
        }
        List<ResizeLog.Entry> resizes = new ArrayList<>();
        for (JsonNode item : json.path("resizes")) {
            if (item instanceof ObjectNode entry) {
                resizes.add(ResizeLog.Entry.fromNode(entry));
            }
        }
        return new SavedState(
                Json.smallInteger(json, "epoch"),
                json.path("running").asBoolean(),
                Json.text(json, "masterAddress"),
                Json.smallInteger(json, "masterPort"),
                Json.smallInteger(json, "restarts"),
                Json.smallInteger(json, "failures"),
                Json.integer(json, "startedMs"),
                slots,
                json.hasNonNull("profile")
                        ? Optional.of(ProfileRecord.fromJson("profile in am-state.json", Json.text(json, "profile")))
                        : Optional.empty(),
                resizes,
                json.path("outcome") instanceof ObjectNode ended
                        ? Optional.of(new Outcome(ended.path("succeeded").asBoolean(), Json.text(ended, "diagnostics")))
                        : Optional.empty(),
                json.path("lastCommand").asLong());
    }
}
