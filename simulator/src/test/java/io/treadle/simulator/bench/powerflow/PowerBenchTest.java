// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerBenchTest {
    private static String run(Path out, Path list, int threads) {
        int[] counted = new int[2];
        PowerBench.Watcher watcher = new PowerBench.Watcher() {
            @Override
            public void begins(int runs) {
                counted[0] = runs;
            }

            @Override
            public void done(int runs) {
                counted[1] = runs;
            }
        };
        String text = new PowerBench(out, 3, 2, PowerSizes.QUICK, Optional.of(list)).run(threads, watcher, line -> {});
        assertTrue(counted[0] > 100, "runs: " + counted[0]);
        assertEquals(counted[0], counted[1]);
        return text;
    }

    @Test
    void everyRivalHasARowAndTheSameSeedGivesTheSameFigures(@TempDir Path directory) throws Exception {
        Path list = PhillyListTest.write(directory);
        String text = run(directory.resolve("one"), list, 1);
        run(directory.resolve("two"), list, 2);
        for (String file : List.of("summary.json", "frontiers.csv")) {
            assertArrayEquals(
                    Files.readAllBytes(directory.resolve("one").resolve(file)),
                    Files.readAllBytes(directory.resolve("two").resolve(file)),
                    file);
        }
        JsonNode summary = new ObjectMapper()
                .readTree(directory.resolve("one").resolve("summary.json").toFile());
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode row : summary) {
            assertTrue(names.add(row.get("name").asText()), summary.toString());
            assertEquals(
                    row.get("theirs").asDouble() / row.get("ours").asDouble(),
                    row.get("ratio").asDouble(),
                    1e-9);
        }
        for (Rival rival : Rival.others()) {
            assertTrue(names.contains(rival.name()), rival.name() + " is not in " + names);
            assertTrue(text.contains(rival.name()), rival.name());
        }
        for (String rival : List.of("elastic+zeus", "powerflow-relative")) {
            for (String work : List.of("0.7 on 64", "1.1 on 64", "0.7 on 128", "1.1 on 128")) {
                String name = rival + " on ElasticFlow's Philly list at load " + work + " GPUs";
                assertTrue(names.contains(name), name + " is not in " + names);
            }
        }
        assertTrue(text.contains("ElasticFlow's Philly list at load 1.1 on 128 GPUs: "), text);
        assertEquals(
                Rival.others().stream().map(Rival::name).toList(),
                names.stream().limit(Rival.others().size()).toList(),
                "the headline's come first under their own names");
        String page = Files.readString(directory.resolve("one").resolve("bench.html"));
        assertTrue(page.contains("elastic+zeus") && page.contains("<svg"), "bench.html has no plots");
    }
}
