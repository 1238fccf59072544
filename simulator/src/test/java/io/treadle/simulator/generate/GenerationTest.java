// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationTest {
    static Stream<Arguments> all() {
        return ClusterProfiles.names().stream().flatMap(like -> Stream.of(SelfCheck.JOBS_FOR_ALL, 50_000)
                .flatMap(jobs -> Stream.of(1L, 2L, 11L).map(seed -> Arguments.of(like, jobs, seed))));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyFigureIsWithinItsBound(String like, int jobs, long seed) {
        assertSound(draw(like, jobs, seed));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100, 999, 1000, 1001, 1333, 3000})
    void curvesAndMeansHoldWithFewJobs(int jobs) {
        for (String like : ClusterProfiles.names()) {
            Generation generation = draw(like, jobs, jobs);
            assertEquals(jobs, generation.trace().jobs());
            assertPlausible(generation);
            assertSound(generation);
            assertEquals(
                    jobs >= SelfCheck.JOBS_FOR_CURVES,
                    generation.checks().stream().anyMatch(Check::isJudged));
        }
    }

    @Test
    void timesRiseAndNothingIsEmpty() {
        for (String like : ClusterProfiles.names()) {
            assertPlausible(draw(like, 5000, 11));
        }
    }

    @Test
    void sameSeedSameTraceOtherSeedAnother() {
        GeneratedTrace first = draw("earth", 3000, 5).trace();
        GeneratedTrace second = draw("earth", 3000, 5).trace();
        GeneratedTrace other = draw("earth", 3000, 6).trace();
        assertArrayEquals(first.submit(), second.submit());
        assertArrayEquals(first.duration(), second.duration());
        assertArrayEquals(first.gpus(), second.gpus());
        assertNotEquals(Arrays.toString(first.submit()), Arrays.toString(other.submit()));
        assertNotEquals(Arrays.toString(first.duration()), Arrays.toString(other.duration()));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.9, 2})
    void theLoadIsGpuSecondsAskedOverGpuSecondsThere(double load) {
        SimCluster cluster = ClusterReader.read("synergy-128");
        Generation generation = Generation.draw(new Generation.Request(
                "venus", 20_000, 3, Optional.of(cluster), OptionalDouble.of(load), OptionalDouble.empty()));
        GeneratedTrace trace = generation.trace();
        assertEquals(load, trace.gpuSeconds() / (128 * trace.spanSeconds()), 1e-9);
        assertTrue(Arrays.stream(trace.gpus()).allMatch(gpus -> gpus <= 128));
        assertTrue(generation.report().contains("are left out"), generation.report());
        assertSound(generation);
    }

    @Test
    void theRateIsJobsPerHour() {
        Generation generation = Generation.draw(new Generation.Request(
                "kalos", 24_000, 3, Optional.empty(), OptionalDouble.empty(), OptionalDouble.of(100)));
        assertEquals(240 * 3600, generation.trace().spanSeconds(), 1e-6);
        assertSound(generation);
    }

    @Test
    void jobsFitTheirQueues(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("vc.csv");
        Files.writeString(file, "vc,node_num\nlarge,16\nmiddle,4\nsmall,1\n");
        Generation generation = Generation.draw(new Generation.Request(
                "philly",
                20_000,
                1,
                Optional.of(ClusterReader.read(file.toString())),
                OptionalDouble.of(0.8),
                OptionalDouble.empty()));
        GeneratedTrace trace = generation.trace();
        double[] work = new double[3];
        List<String> names = List.of("large", "middle", "small");
        long[] room = {128, 32, 8};
        for (int job = 0; job < trace.jobs(); job++) {
            int queue = names.indexOf(trace.queue(job));
            assertTrue(trace.gpus()[job] <= room[queue], "job " + job + " of " + trace.queue(job));
            work[queue] += trace.gpuSeconds(job);
        }
        for (int queue = 0; queue < room.length; queue++) {
            assertEquals(room[queue] / 168.0, work[queue] / trace.gpuSeconds(), 0.05, names.get(queue));
        }
        assertSound(generation);
    }

    private static Generation draw(String like, int jobs, long seed) {
        return Generation.draw(new Generation.Request(
                like, jobs, seed, Optional.empty(), OptionalDouble.empty(), OptionalDouble.empty()));
    }

    private static void assertSound(Generation generation) {
        assertTrue(generation.isSound(), () -> CheckTable.verdict(generation.checks()) + generation.report());
        assertFalse(generation.checks().isEmpty());
    }

    private static void assertPlausible(Generation generation) {
        GeneratedTrace trace = generation.trace();
        long before = 0;
        for (int job = 0; job < trace.jobs(); job++) {
            assertTrue(trace.submit()[job] >= before, "submit times rise");
            before = trace.submit()[job];
            assertTrue(trace.duration()[job] >= 1 && trace.gpus()[job] >= 1);
        }
        assertTrue(before <= trace.spanSeconds());
    }
}
