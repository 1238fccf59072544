// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueriesForecastTest {
    private static final double EXACT = 1e-9;

    private static final String SPEC =
            """
            models:
              small: {file: small.onnx}
              large: {file: large.onnx}
            workflows:
              two:
                inputs: {x: "FP32[any, 1]"}
                tasks:
                  last: {model: large, inputs: {x: first.y}}
                  first: {model: small, inputs: {x: x}}
                outputs: {y: last.y}
            """;

    /** As a service tells it, with what of it counts here. */
    private static ServiceProfile profile(long firstRuns, double firstMs, long loads, double loadMs)
            throws IOException {
        return ServiceProfile.of(new ObjectMapper()
                .readTree(String.format(
                        Locale.ROOT,
                        """
                        {"workers": [{"memoryKb": 4000}],
                         "workflows": [{"name": "two", "tasks": [
                           {"name": "last", "runs": 2, "allRunMs": 40, "outputKb": 0.004},
                           {"name": "first", "runs": %d, "allRunMs": %s, "outputKb": 0.004}]}],
                         "models": [
                           {"name": "small", "memoryKb": 1000, "loadMs": 5, "loads": %d, "allLoadMs": %s},
                           {"name": "large", "memoryKb": 3000, "loadMs": 9, "loads": 0, "allLoadMs": 0}]}
                        """,
                        firstRuns,
                        firstMs,
                        loads,
                        loadMs)));
    }

    private static Path spec(Path directory) throws IOException {
        return Files.writeString(directory.resolve("service.yaml"), SPEC);
    }

    @Test
    void whatHasHappenedSinceCounts() throws IOException {
        ServiceProfile since = profile(7, 130, 3, 21).since(profile(2, 30, 1, 5));
        assertEquals(Map.of("two/first", 20.0, "two/last", 20.0), means(since));
        assertEquals(8, loads(since, "small").meanMs(), EXACT);
        // It has not been loaded since the service started, and measured it.
        assertEquals(9, loads(since, "large").meanMs(), EXACT);
    }

    private static ServiceProfile.Loads loads(ServiceProfile profile, String model) {
        return profile.models().getOrDefault(model, new ServiceProfile.Loads(0, 0, 0, 0));
    }

    private static Map<String, Double> means(ServiceProfile profile) {
        Map<String, Double> means = new java.util.TreeMap<>();
        profile.tasks().forEach((name, runs) -> means.put(name, runs.meanMs()));
        return means;
    }

    @Test
    void aQueryTakesItsTasksLoadsAndOverheads(@TempDir Path directory) throws IOException {
        QueriesForecast forecast = new QueriesForecast(spec(directory), profile(1, 10, 1, 6), new Overheads(2, 0.5));
        BenchWorkflow two = new BenchWorkflow("two", 1, 1);
        assertEquals(30, forecast.workMs(two), EXACT);
        // The second query finds both models; it comes when the first has long been answered.
        List<Double> took = forecast.latencies(List.of(new Arrival(0, two), new Arrival(1000, two)), "compass", 1, 0);
        assertEquals(2 + 6 + 10 + 0.5 + 9 + 20, took.get(0), EXACT);
        assertEquals(2 + 10 + 0.5 + 20, took.get(1), EXACT);
    }

    @Test
    void whatWorkersCanDo(@TempDir Path directory) throws IOException {
        QueriesForecast forecast = new QueriesForecast(spec(directory), profile(1, 10, 1, 6), new Overheads(0, 0));
        assertEquals(2 * 1000 / 30.0, forecast.capacity(List.of(new BenchWorkflow("two", 3, 1)), 2), EXACT);
    }

    @Test
    void overheads() {
        assertEquals(new Overheads(2.75, 0.25), Overheads.of(3, 7, 0.25));
        assertEquals(new Overheads(0, 0), Overheads.of(1, 1, 2));
    }

    @Test
    void arrivalsAreAsManyAsAskedForAndTheSameForASeed() {
        List<Arrival> arrivals = Arrival.poisson(ServiceTexts.MIX, 50, 100, 7);
        assertEquals(arrivals, Arrival.poisson(ServiceTexts.MIX, 50, 100, 7));
        assertEquals(5000, arrivals.size(), 300);
        assertTrue(arrivals.stream().allMatch(arrival -> arrival.atMs() < 100_000), "none is too late");
        double popular = arrivals.stream()
                .filter(arrival -> arrival.workflow().equals(ServiceTexts.MIX.get(0)))
                .count();
        assertEquals(12 / 25.0, popular / arrivals.size(), 0.03);
    }
}
