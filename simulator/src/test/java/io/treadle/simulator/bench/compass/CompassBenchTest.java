// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompassBenchTest {
    private static String run(Path out, int threads) {
        AtomicInteger done = new AtomicInteger();
        String text = new CompassBench(out, 3, 2, CompassSizes.QUICK)
                .run(threads, line -> {}, runs -> done.incrementAndGet())
                .tables();
        assertTrue(done.get() > 0);
        return text;
    }

    @Test
    void everyRivalHasRowsAndTheSameSeedGivesTheSameFigures(@TempDir Path directory) throws Exception {
        String text = run(directory.resolve("one"), 1);
        run(directory.resolve("two"), 2);
        for (String file : List.of("summary.json", "runs.csv")) {
            assertArrayEquals(
                    Files.readAllBytes(directory.resolve("one").resolve(file)),
                    Files.readAllBytes(directory.resolve("two").resolve(file)),
                    file);
        }
        JsonNode summary = new ObjectMapper()
                .readTree(directory.resolve("one").resolve("summary.json").toFile());
        List<String> names = new ArrayList<>();
        summary.forEach(row -> {
            names.add(row.get("name").asText());
            assertTrue(row.get("ratio").asDouble() > 0);
            assertTrue(row.get("ours").asDouble() > 0);
        });
        for (String rival : List.of("compass as published", "jit", "heft", "hash")) {
            assertTrue(names.contains(rival + " at 2 a second, mean"), names::toString);
            assertTrue(names.contains(rival + " at 2 a second, p95"), names::toString);
        }
        assertEquals(names.size(), names.stream().distinct().count());
        assertTrue(text.contains("jit, least left first"), text);
        assertTrue(
                Files.readString(directory.resolve("one").resolve("bench.html")).contains("What each part is worth"));
    }

    /** Known latencies: 5 workers and no load but a query now and then need what the query needs. */
    @Test
    void withoutLoadOursTakesHardlyMoreThanTheBest() {
        QueryFigures figures = QueryFigures.of(Variant.OURS, new QueryWork(5, 0.05, 200), 1);
        assertTrue(figures.meanSlowdown() < 1.05, () -> "slowdown " + figures.meanSlowdown());
        assertTrue(figures.hits() > 0.95, () -> "hits " + figures.hits());
    }
}
