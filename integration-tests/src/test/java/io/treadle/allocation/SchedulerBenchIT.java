// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.demo.DemoException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerBenchIT {
    /** Of so short windows the figures say nothing, but that they are there. */
    @Test
    void bothSchedulersAreMeasuredInAllKindsOfWork(@TempDir Path directory) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SchedulerOptions options = new SchedulerOptions(List.of(50), 1, directory, false);
        int exit = SchedulerMain.run(options, 400, new PrintStream(out, true, StandardCharsets.UTF_8));
        String said = out.toString(StandardCharsets.UTF_8);
        assertEquals(said.contains("missed: ") ? 1 : 0, exit);
        Map<String, Double> ratios = new HashMap<>();
        for (JsonNode row :
                new ObjectMapper().readTree(directory.resolve("summary.json").toFile())) {
            ratios.put(row.get("name").asText(), row.get("ratio").asDouble());
        }
        for (String work : List.of("idle", "busy", "same")) {
            assertTrue(ratios.getOrDefault(work, 0.0) > 0, ratios.toString());
            for (String scheduling : List.of("by heartbeats", "asynchronous")) {
                String name = work + " of 50 nodes, " + scheduling;
                assertTrue(ratios.getOrDefault(name, 0.0) >= ratios.getOrDefault(work, 1.0), ratios.toString());
                assertTrue(ratios.getOrDefault(name + ", heartbeat p99", 0.0) > 0, ratios.toString());
            }
        }
        for (String types : List.of("gpu", "types")) {
            assertTrue(ratios.getOrDefault(types + " of 50 nodes, by heartbeats", 0.0) > 0, ratios.toString());
        }
        // Two kinds of scheduling and three of work, and at least a window of each scheduler.
        long windows = Files.readAllLines(directory.resolve("windows.csv")).stream()
                .filter(line -> line.contains(",50,"))
                .count();
        assertTrue(windows >= 12, windows + " windows");
        String page = Files.readString(directory.resolve("bench.html"));
        assertTrue(page.contains("8 tasks") && page.contains("50 nodes"), page);
        assertTrue(said.contains("/cluster/treadle/job/… of a job of 8 tasks"), said);
    }

    @Test
    void processThatFailsSaysWhere(@TempDir Path directory) {
        try (ManagerChild child = ManagerChild.start(directory, 512)) {
            Setting none = new Setting(true, false, -1, 1, 0, 0);
            DemoException failed =
                    assertThrows(DemoException.class, () -> child.ask(new Order(Order.Kind.WINDOW, none, 1)));
            assertTrue(String.valueOf(failed.getMessage()).contains("log says why"), failed.getMessage());
        }
    }
}
