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
    private final FakeNvml nvml;
    private final Path pipe;

    HangingDriverTest(@TempDir Path directory) throws IOException, InterruptedException {
        nvml = FakeNvml.build(directory);
        pipe = Path.of(nvml.library() + ".state");
    }

    private void hang() throws IOException, InterruptedException {
        Files.deleteIfExists(pipe);
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    }

    /** Lets a call that hangs return, so that no thread outlives the test. */
    private void release() throws IOException {
        Files.writeString(pipe, "init 999\n");
    }

    private DeviceProbe.Discovery discover() {
        return DeviceProbe.discover(
                TestConf.of("device-provider", "nvml", "nvml-library", nvml.library(), "nvidia-smi-timeout-ms", "1000"),
                Clock.systemUTC());
    }

    @Test
    void startsAsACpuNodeThatSaysWhy() throws Exception {
        hang();
        DeviceProbe.Discovery discovery = discover();
        assertEquals("none", discovery.provider().name());
        assertTrue(
                discovery.notes().get(0).startsWith("nvml: nvml gave no answer within 1000 ms"), discovery.toString());
        release();
    }

    @Test
    void aReadingThatHangsFailsAndLaterOnesWork() throws Exception {
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0));
        try (DeviceProvider provider = discover().provider()) {
            assertEquals(1, provider.read(Set.of()).size());
            hang();
            assertThrows(DeviceProviderException.class, () -> provider.read(Set.of()));
            assertThrows(DeviceProviderException.class, () -> provider.read(Set.of()));
            release();
            nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0));
            Eventually.eventually("reading", () -> provider.read(Set.of()).size() == 1);
        }
    }
}
