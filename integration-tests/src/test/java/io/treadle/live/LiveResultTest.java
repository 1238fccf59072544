// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Point;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoResult;
import io.treadle.simulator.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveResultTest {
    private static final StartUp START_UP = new StartUp(4, 2, 1);

    private static final ProfileRecord PROFILE = new ProfileRecord(
            "application_1_1",
            "cpu",
            LiveNodes.GPU,
            2,
            ProfileRecord.Phase.READY,
            1,
            List.of(new Point(1, 512, 10, 5, .01, 1), new Point(3, 512, 30, 5, .01, 1)),
            0);

    private static Mixed mix(String policy, String status, double... seconds) {
        return new Mixed(
                policy,
                List.of(job("a", policy, status, seconds[0]), job("b", policy, status, seconds[1])),
                List.of(START_UP, START_UP));
    }

    private static DemoResult.Job job(String name, String policy, String status, double seconds) {
        return new DemoResult.Job(
                "id", name, "queue", policy, status, "1/1", 100, 0, seconds, 0, 0, 0, List.of(), List.of(), List.of());
    }

    /** @param measured at 2 vcores, samples/s */
    private static LiveResult result(String status, double measured, double profileSeconds) {
        Curve curve = Curve.of(
                new Profiled("cpu", PROFILE, 512, profileSeconds),
                List.of(new SizeSpeed(2, measured, .004, 10), new SizeSpeed(1, 10, .002, 10)));
        return new LiveResult(
                true,
                new Machine("a CPU", 2, "a JVM", 0),
                Map.of("cpu", PROFILE),
                List.of(curve),
                List.of(mix(LiveBench.BASELINE, status, 60, 100), mix(LiveBench.OURS, status, 40, 60)),
                Map.of(
                        LiveBench.BASELINE, Map.of("a", 70.0, "b", 80.0),
                        LiveBench.OURS, Map.of("a", 40.0, "b", 50.0)));
    }

    @Test
    void aCurveIsHeldToWhatWasMeasured() {
        Curve curve = result("SUCCEEDED", 19.2, 4).curves().get(0);
        // Between 10 and 30 the profile says 20 at 2 vcores.
        assertEquals(
                List.of(1L, 2L),
                curve.points().stream().map(Curve.Point::vcores).toList());
        assertEquals(20 / 19.2 - 1, curve.largestDifference(), 1e-9);
        assertEquals((20 / 19.2 - 1) / 2, curve.meanDifference(), 1e-9);
        assertEquals(.004, curve.largestError(), 1e-12);
        assertEquals(.2, curve.costs(), 1e-12);
    }

    @Test
    void ratios() {
        LiveResult result = result("SUCCEEDED", 20, 4);
        assertEquals(80 / 50.0, result.ratio(), 1e-12);
        assertEquals(75 / 45.0, result.foretoldRatio(), 1e-12);
        assertEquals(1.6 / (75 / 45.0) - 1, result.ratioError(), 1e-12);
        assertEquals(List.of(), result.missed());
        assertEquals(List.of(), result.failed());
    }

    @Test
    void whatIsMissedIsSaid() {
        LiveResult result = result("FAILED", 16, 5);
        assertEquals(
                List.of(
                        "the profile of cpu is up to 25.0 % from what was measured, must be within 5 %",
                        "the profile of cpu takes 1/4.0 of the time that measuring it takes, must be at most 1/5"),
                result.missed());
        assertEquals(4, result.failed().size());
        assertEquals(
                "a under fifo+proportional ended as FAILED", result.failed().get(0));
    }

    @Test
    void filesAreWhole(@TempDir Path directory) throws IOException {
        new LiveFiles(directory).write(LiveShown.of(result("SUCCEEDED", 20, 4)));

        JsonNode summary =
                new ObjectMapper().readTree(directory.resolve("summary.json").toFile());
        assertEquals("live fifo: mean JCT", summary.at("/0/name").asText());
        assertEquals(50, summary.at("/0/ours").asDouble(), 1e-9);
        assertEquals(1.6, summary.at("/0/ratio").asDouble(), 1e-9);
        assertEquals(75 / 45.0, summary.at("/1/ratio").asDouble(), 1e-9);
        assertEquals(5, summary.at("/2/ratio").asDouble(), 1e-9);
        assertEquals(5, Files.readAllLines(directory.resolve("jobs.csv")).size());
        assertEquals(
                List.of(
                        "worker,vcores,profiledSamplesPerSecond,measuredSamplesPerSecond,measuredError",
                        "cpu,1,10.000,10.000,0.00200",
                        "cpu,2,20.000,20.000,0.00400"),
                Files.readAllLines(directory.resolve("curves.csv")));
        assertEquals(
                PROFILE,
                ProfileRecord.fromJson(
                        "cpu", Files.readString(directory.resolve("profiles").resolve("cpu.json"))));
        String table = Files.readString(directory.resolve("bench.md"));
        assertTrue(table.contains("| live | 80.0 s | 50.0 s | 1.600 |"), table);
        assertTrue(Files.readString(directory.resolve("bench.html")).contains("1.60 times as soon"));
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        DemoException said = assertThrows(DemoException.class, () -> new LiveFiles(file));
        String message = String.valueOf(said.getMessage());
        assertTrue(message.startsWith("--out is '" + file + "', must be a directory"), message);
    }
}
