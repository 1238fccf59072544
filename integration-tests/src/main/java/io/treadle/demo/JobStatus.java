// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a job's ApplicationMaster says of it, on its page and in its record (a reader of ours: unknown fields are
 * passed over, missing ones are 0 or empty).
 *
 * @param samples samples done
 * @param samplesPerSecond speed of the whole job now
 * @param restarts how often workers were started again
 * @param phase {@code profiling} or {@code ready}
 * @param note one line for people
 * @param workers tasks that run now, or ran at the end
 * @param resizes of vcores
 * @param memoryResizes of memory, MiB
 */
public record JobStatus(
        long samples,
        double samplesPerSecond,
        int restarts,
        String phase,
        String note,
        List<Worker> workers,
        List<DemoResult.Resize> resizes,
        List<DemoResult.Resize> memoryResizes,
        List<DemoResult.Point> profile) {
    static final JobStatus UNKNOWN = new JobStatus(0, 0, 0, "", "", List.of(), List.of(), List.of(), List.of());

    private static final ObjectMapper MAPPER = new ObjectMapper();

    public record Worker(String containerId, int rank, double cpuSeconds, double vcoreSeconds) {}

    public JobStatus {
        workers = List.copyOf(workers);
        resizes = List.copyOf(resizes);
        memoryResizes = List.copyOf(memoryResizes);
        profile = List.copyOf(profile);
    }

    double cpuSeconds() {
        return workers.stream().mapToDouble(Worker::cpuSeconds).sum();
    }

    double vcoreSeconds() {
        return workers.stream().mapToDouble(Worker::vcoreSeconds).sum();
    }

    /** Empty if the text is no JSON object: a page that is just coming up or going down. */
    static Optional<JobStatus> fromJson(String text) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
        if (!json.isObject()) {
            return Optional.empty();
        }
        List<Worker> workers = new ArrayList<>();
        for (JsonNode worker : json.path("workers")) {
            workers.add(new Worker(
                    worker.path("containerId").asText(),
                    worker.path("rank").asInt(),
                    worker.path("cpuSeconds").asDouble(),
                    worker.path("vcoreSeconds").asDouble()));
        }
        List<DemoResult.Resize> resizes = new ArrayList<>();
        List<DemoResult.Resize> memoryResizes = new ArrayList<>();
        for (JsonNode resize : json.path("resizes")) {
            boolean ofMemory = resize.path("resource").asText().equals("memoryMiB");
            (ofMemory ? memoryResizes : resizes)
                    .add(new DemoResult.Resize(
                            resize.path("containerId").asText(),
                            resize.path("atSeconds").asDouble(),
                            resize.path("from").asLong(),
                            resize.path("to").asLong(),
                            resize.path("by").asText(),
                            resize.path("samplesPerSecondBefore").asDouble(),
                            resize.path("samplesPerSecondAfter").asDouble()));
        }
        List<DemoResult.Point> profile = new ArrayList<>();
        for (JsonNode point : json.path("profile")) {
            profile.add(new DemoResult.Point(
                    point.path("vcores").asLong(),
                    point.path("samplesPerSecond").asDouble()));
        }
        return Optional.of(new JobStatus(
                json.path("samples").asLong(),
                json.path("samplesPerSecond").asDouble(),
                json.path("restarts").asInt(),
                json.path("phase").asText(),
                json.path("note").asText(),
                workers,
                resizes,
                memoryResizes,
                profile));
    }
}
