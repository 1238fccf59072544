// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.demo.DemoResult;
import io.treadle.live.LiveFiles;
import io.treadle.live.StartUp;
import io.treadle.simulator.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerResultTest {
    private static final PowerMix MIX =
            new PowerMix(List.of(), List.of(PoweredWork.VISION.job("a", 1, 10, 0)), 0.5, true);

    private static PowerOutcome outcome(String status, double seconds, double joules, double watts) {
        DemoResult.Job job = new DemoResult.Job(
                "id",
                "a",
                "queue",
                "powerflow",
                status,
                "1/1",
                100,
                0,
                seconds,
                0,
                0,
                0,
                List.of(),
                List.of(),
                List.of());
        List<PowerWatch.Sample> samples = new ArrayList<>();
        for (int second = 0; second < 100; second++) {
            samples.add(new PowerWatch.Sample(second * 1000L, watts, 200, 1));
        }
        return new PowerOutcome(
                List.of(job),
                List.of(new StartUp(3, 2, 1)),
                List.of(2.0, 3.0, 9.0),
                Map.of("a", joules),
                samples,
                Map.of());
    }

    private static PowerResult result(PowerOutcome live) {
        return new PowerResult(
                MIX,
                new Machine("a CPU", 2, "a JVM", 0),
                Map.of(),
                outcome("SUCCEEDED", 1, 1, 1),
                live,
                new PowerForecast.Word(Map.of("a", new PowerForecast.Foretold(100, 20_000)), 1_890));
    }

    @Test
    void withinTheGoals() {
        PowerResult result = result(outcome("SUCCEEDED", 110, 18_000, 1_930));
        assertEquals(0.1, result.jctError(), 1e-12);
        assertEquals(-0.1, result.joulesError(), 1e-12);
        assertEquals(1_930, result.liveMostWatts(), 1e-9);
        assertEquals(List.of(), result.missed(), "1,938 W is 2 % over 1,900");
        assertEquals(List.of(), result.failed());
    }

    @Test
    void whatIsMissedIsSaid() {
        PowerResult result = result(outcome("FAILED", 120, 16_000, 1_950));
        assertEquals(
                List.of(
                        "mean completion time is +20.0 % from what the simulator foretells, must be within 15 %",
                        "the jobs' energy is -20.0 % from what the simulator foretells, must be within 15 %",
                        "the nodes draw 1950 W in a minute under a budget of 1900 W, must be at most 2 % over it"),
                result.missed());
        assertEquals(List.of("a ended as FAILED"), result.failed());
    }

    @Test
    void filesAreWhole(@TempDir Path directory) throws IOException {
        new LiveFiles(directory).write(PowerShown.of(result(outcome("SUCCEEDED", 110, 18_000, 1_850))));
        JsonNode summary =
                new ObjectMapper().readTree(directory.resolve("summary.json").toFile());
        assertEquals(1.1, summary.at("/0/ratio").asDouble(), 1e-9);
        assertEquals(0.9, summary.at("/1/ratio").asDouble(), 1e-9);
        assertEquals(1900 / 1850.0, summary.at("/2/ratio").asDouble(), 1e-9);
        assertEquals(101, Files.readAllLines(directory.resolve("draw.csv")).size());
        assertEquals(
                "a,100,0.000,110.000,100.000,18000.0,20000.0,SUCCEEDED",
                Files.readAllLines(directory.resolve("jobs.csv")).get(1));
        String page = Files.readString(directory.resolve("bench.html"));
        assertTrue(page.contains("Jobs got other GPUs 6 times"), "with those by which models became known");
        assertTrue(page.contains("3.0 s (median; at most 9.0 s)"));
    }
}
