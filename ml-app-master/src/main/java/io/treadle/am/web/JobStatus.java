// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.protocol.Json;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import java.util.List;
import java.util.Optional;

/**
 * A job at one moment, as its page and {@code /status.json} show it and its record keeps it.
 *
 * @param state what it does: {@code gathering}, {@code starting}, {@code running}, {@code succeeded}, {@code failed}
 * @param startedMs when the gang first ran, ms since the epoch; 0 before
 * @param resizes as JSON objects, in the order of time
 * @param energy what its GPUs spend; empty where no node says
 * @param servers its speed over numbers of workers and parameter servers; empty where nothing is known or asked
 * @param note one line for people
 */
public record JobStatus(
        String applicationId,
        String name,
        String user,
        String state,
        long samples,
        long totalSamples,
        double samplesPerSecond,
        int restarts,
        long startedMs,
        long nowMs,
        List<Worker> workers,
        List<ObjectNode> resizes,
        List<ProfileRecord.Point> profile,
        ProfileRecord.Phase phase,
        Optional<JobEnergy> energy,
        Optional<ProfileServers> servers,
        String note) {

    /**
     * @param samples done by this worker since the job's first start
     * @param cpuSeconds CPU time of the worker
     * @param vcoreSeconds vcores times the time that it held them while running
     * @param data what it says that it reads
     * @param logs where the container's logs are
     */
    public record Worker(
            String containerId,
            String host,
            String group,
            int rank,
            long vcores,
            long memoryMiB,
            List<String> devices,
            long samples,
            double samplesPerSecond,
            double cpuSeconds,
            double vcoreSeconds,
            Optional<DataReport> data,
            String logs) {
        public Worker {
            devices = List.copyOf(devices);
        }
    }

    public JobStatus {
        workers = List.copyOf(workers);
        resizes = List.copyOf(resizes);
        profile = List.copyOf(profile);
    }

    public String toJson() {
        return toNode(Optional.empty()).toString();
    }

    /** The record that is kept when the job has ended. */
    public String toRecord(String finalStatus, String diagnostics) {
        return toNode(Optional.of(finalStatus)).put("diagnostics", diagnostics).toPrettyString();
    }

    private ObjectNode toNode(Optional<String> finalStatus) {
        ObjectNode json = Json.object()
                .put("schema", 1)
                .put("applicationId", applicationId)
                .put("name", name)
                .put("user", user)
                .put("state", state)
                .put("samples", samples)
                .put("totalSamples", totalSamples)
                .put("samplesPerSecond", samplesPerSecond)
                .put("restarts", restarts)
                .put("startedMs", startedMs)
                .put("nowMs", nowMs);
        ArrayNode array = json.putArray("workers");
        for (Worker worker : workers) {
            ObjectNode item = array.addObject()
                    .put("containerId", worker.containerId())
                    .put("host", worker.host())
                    .put("group", worker.group())
                    .put("rank", worker.rank())
                    .put("vcores", worker.vcores())
                    .put("memoryMiB", worker.memoryMiB())
                    .put("samples", worker.samples())
                    .put("samplesPerSecond", worker.samplesPerSecond())
                    .put("cpuSeconds", worker.cpuSeconds())
                    .put("vcoreSeconds", worker.vcoreSeconds())
                    .put("logs", worker.logs());
            ArrayNode devices = item.putArray("devices");
            worker.devices().forEach(devices::add);
            worker.data().ifPresent(data -> item.set("data", data.toNode()));
        }
        ArrayNode log = json.putArray("resizes");
        resizes.forEach(log::add);
        ArrayNode points = json.putArray("profile");
        for (ProfileRecord.Point point : profile) {
            points.addObject()
                    .put("vcores", point.vcores())
                    .put("samplesPerSecond", point.samplesPerSecond())
                    .put("error", point.error())
                    .put("count", point.count());
        }
        json.put("phase", phase.name().toLowerCase(java.util.Locale.ROOT)).put("note", note);
        energy.ifPresent(e -> e.writeTo(json.putObject("energy")));
        servers.ifPresent(s -> s.putInto(json.putObject("servers")));
        finalStatus.ifPresent(status -> json.put("finalStatus", status));
        return json;
    }
}
