// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.Eventually;
import io.treadle.nm.TestConf;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver in whose calls threads get stuck: the stand-in for NVML reads its state from a pipe that nobody writes. */
class HangingDriverTest {
    private static final String WELL = FakeNvml.gpu("GPU-aa", 61_500, 0);

    private final FakeNvml nvml;
    private final Path state;
    private final Path pipe;

    HangingDriverTest(@TempDir Path directory) throws IOException, InterruptedException {
        nvml = FakeNvml.build(directory);
        state = Path.of(nvml.library() + ".state");
        pipe = directory.resolve("pipe");
    }

    private void hang() throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        Files.deleteIfExists(state);
        Files.createLink(state, pipe);
    }

    /** The driver is well again, and the call that hangs returns. In this order: it reads the state more than once. */
    private void release() throws IOException {
        nvml.say("init 0", WELL);
        Files.writeString(pipe, "init 0\n" + WELL + "\n");
    }

    private DeviceProbe.Discovery discover() {
        return DeviceProbe.discover(
                TestConf.of(
                        "device-provider", "nvml", "nvml-library", nvml.library(), "nvidia-smi-timeout-ms", "10000"),
                Clock.systemUTC());
    }

    @Test
    void startsAsACpuNodeThatSaysWhy() throws Exception {
        hang();
        DeviceProbe.Discovery discovery = discover();
        assertEquals("none", discovery.provider().name());
        assertTrue(
                discovery.notes().get(0).startsWith("nvml: nvml gave no answer within 10000 ms"), discovery.toString());
        release();
    }

    @Test
    void aReadingThatHangsFailsAndLaterOnesWork() throws Exception {
        nvml.say("init 0", WELL);
        try (DeviceProvider provider = discover().provider()) {
            assertEquals(1, provider.read(Set.of()).size());
            hang();
            assertThrows(DeviceProviderException.class, () -> provider.read(Set.of()));
            assertThrows(DeviceProviderException.class, () -> provider.read(Set.of()));
            release();
            Eventually.eventually("reading", () -> provider.read(Set.of()).size() == 1);
        }
    }
}
