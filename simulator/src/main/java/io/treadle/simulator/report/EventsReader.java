// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Reads what {@link EventsFile} wrote. */
final class EventsReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunLog log;
    private final Map<String, Integer> indexOf = new HashMap<>();

    private EventsReader(SimCluster cluster, List<TraceJob> jobs) {
        log = new RunLog(cluster, jobs);
        jobs.forEach(job -> indexOf.put(job.id(), indexOf.size()));
    }

    /** @throws InputException if it cannot be read or tells of other jobs or nodes */
    static RunLog read(Path file, SimCluster cluster, List<TraceJob> jobs) {
        EventsReader reader = new EventsReader(cluster, jobs);
        int number = 0;
        try (InputStream bytes = Files.newInputStream(file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, 1 << 16) : bytes,
                        StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                reader.add(JSON.readTree(line));
            }
        } catch (JsonProcessingException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | ArithmeticException e) {
            throw new InputException(
                    file + ":" + number + ": this is no event of this trace on this cluster: " + e.getMessage()
                            + ".\nMaybe give another --out, or delete the file.",
                    e);
        } catch (IOException e) {
            throw new InputException("cannot read " + file + ": " + e.getMessage() + ".", e);
        }
        return reader.log;
    }

    private void add(JsonNode event) {
        Integer job = indexOf.get(event.path("jobId").asText());
        if (job == null) {
            throw new IllegalArgumentException(
                    "there is no job '" + event.path("jobId").asText() + "'");
        }
        long ms =
                new BigDecimal(event.path("seconds").asText()).movePointRight(3).longValueExact();
        String what = event.path("event").asText();
        switch (what) {
            case "submit" -> log.came(ms);
            case "start" -> start(job, ms, event.path("nodes"));
            case "stop" -> log.close(job, ms);
            case "end" -> log.ended(job, ms);
            case "leave-out" -> log.leftOut(job);
            default -> throw new IllegalArgumentException("there is no event '" + what + "'");
        }
    }

    private void start(int job, long ms, JsonNode nodes) {
        int first = log.pieces();
        nodes.fields().forEachRemaining(entry -> {
            int node = log.nodes().index(entry.getKey());
            int parts = entry.getValue().path("parts").asInt(RunLog.CARD);
            JsonNode gpus = entry.getValue().path("gpus");
            gpus.forEach(gpu -> log.piece(node, parts, gpu.asInt()));
            if (gpus.isEmpty()) {
                log.piece(node, 0, -1);
            }
        });
        log.started(job, ms, first);
    }
}
