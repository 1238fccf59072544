// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.nm.device.ProcessUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvmlProcessesTest {
    private static final Map<String, List<String>> ASKED = Map.of("GPU-aa", List.of("c1", "c2"));

    private final Path directory;

    NvmlProcessesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void samplesSinceTheLastQuestion() throws IOException, InterruptedException {
        FakeNvml nvml = FakeNvml.build(directory);
        say(nvml, 0, FakeNvml.use("GPU-aa", 11, 5_000_000, 75), FakeNvml.use("GPU-aa", 12, 5_000_100, 25));
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            assertEquals(
                    Map.of("GPU-aa", List.of(ProcessUse.ofProcess(11, 5_000, 75), ProcessUse.ofProcess(12, 5_000, 25))),
                    provider.processes(ASKED));
            assertEquals(Map.of("GPU-aa", List.of()), provider.processes(ASKED), "nothing newer");
            say(nvml, 0, FakeNvml.use("GPU-aa", 11, 5_000_000, 75), FakeNvml.use("GPU-aa", 12, 6_000_000, 30));
            assertEquals(Map.of("GPU-aa", List.of(ProcessUse.ofProcess(12, 6_000, 30))), provider.processes(ASKED));
            say(nvml, 0);
            assertEquals(Map.of("GPU-aa", List.of()), provider.processes(ASKED), "no samples at all");
        }
    }

    @Test
    void entriesThatCannotBeRightArePassedOver() throws IOException, InterruptedException {
        FakeNvml nvml = FakeNvml.build(directory);
        List<String> lines = new ArrayList<>(List.of(
                FakeNvml.use("GPU-aa", 0, 1_000, 50),
                FakeNvml.use("GPU-aa", 13, 2_000, 4_294_967_295L),
                FakeNvml.use("GPU-aa", 14, 3_000, 0)));
        for (int pid = 101; pid <= 110; pid++) {
            lines.add(FakeNvml.use("GPU-aa", pid, 4_000, 10));
        }
        say(nvml, 0, lines.toArray(String[]::new));
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            List<ProcessUse> uses = provider.processes(ASKED).getOrDefault("GPU-aa", List.of());
            assertEquals(
                    List.of(101L, 102L, 103L, 104L, 105L, 106L, 107L, 108L, 109L, 110L),
                    uses.stream().map(ProcessUse::pid).toList());
        }
    }

    /** NOT_SUPPORTED, NO_PERMISSION, GPU_IS_LOST, UNKNOWN. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 15, 999})
    void refusalIsNoAnswer(int code) throws IOException, InterruptedException {
        FakeNvml nvml = FakeNvml.build(directory);
        say(nvml, code, FakeNvml.use("GPU-aa", 11, 5_000_000, 75));
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            assertEquals(Map.of(), provider.processes(ASKED));
        }
    }

    @Test
    void driverWithoutTheFunctionGivesNoAnswer() throws IOException, InterruptedException {
        FakeNvml nvml = FakeNvml.build(directory, "-DWITHOUT_PROCESSES");
        say(nvml, 0, FakeNvml.use("GPU-aa", 11, 5_000_000, 75));
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            assertEquals(Map.of(), provider.processes(ASKED));
        }
    }

    private static void say(FakeNvml nvml, int code, String... uses) throws IOException {
        List<String> lines = new ArrayList<>(List.of("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0)));
        lines.add(FakeNvml.processes("GPU-aa", code));
        lines.addAll(List.of(uses));
        nvml.say(lines.toArray(String[]::new));
    }
}
