// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.Thrown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a script that prints a file and exits with the status in another. */
class NvidiaSmiProviderTest {
    private static final String FIRST = "0, GPU-aa, NVIDIA A100-SXM4-40GB, 40960, 512, 61.50, 400.00, 7, 33\n";
    private static final String SECOND = "1, GPU-bb, Tesla T4, 15360, 0, [N/A], [Not Supported], [N/A], 40\n";

    private final Path directory;

    NvidiaSmiProviderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private String command = "";

    @BeforeEach
    void script() throws IOException {
        Path script = directory.resolve("nvidia-smi");
        Files.writeString(
                script,
                "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 99\ncase \"$1\" in --query-gpu=index,uuid,*) ;; *) exit 98;; esac\n"
                        + "cat output\nexit \"$(cat status)\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        command = script.toString();
    }

    @Test
    void readsRows() throws IOException {
        NvidiaSmiProvider provider = open(0, FIRST + SECOND);
        assertEquals(
                List.of(
                        new GpuDevice("GPU-aa", 0, "NVIDIA A100-SXM4-40GB", 40960, 400),
                        new GpuDevice("GPU-bb", 1, "Tesla T4", 15360, 0)),
                provider.devices());
        say(0, FIRST.replace("61.50", "250.25") + SECOND);
        assertEquals(
                new DeviceReading(false, 250.25, 400, 7, 512, 33, DeviceReading.NO_COUNTER),
                provider.read(Set.of()).get("GPU-aa"));
        assertEquals(
                new DeviceReading(false, 0, 0, 0, 0, 40, DeviceReading.NO_COUNTER),
                provider.read(Set.of()).get("GPU-bb"));
    }

    @Test
    void lostDeviceHasNoRow() throws IOException {
        NvidiaSmiProvider provider = open(0, FIRST + SECOND);
        say(15, "Unable to determine the device handle for GPU 0000:0A:00.0: GPU is lost.\n" + SECOND);
        var readings = provider.read(Set.of());
        assertTrue(readings.getOrDefault("GPU-aa", DeviceReading.SILENT).lost());
        assertFalse(readings.getOrDefault("GPU-bb", DeviceReading.LOST).lost());
    }

    @Test
    void brokenDriverIsSaidInTheDriversWords() {
        String message = Thrown.message(
                DeviceProviderException.class,
                () -> open(18, "Failed to initialize NVML: Driver/library version mismatch\n"));
        assertTrue(message.contains("18") && message.contains("version mismatch"), message);
    }

    @Test
    void noDevicesIsNoFailure() throws IOException {
        assertEquals(List.of(), open(6, "No devices were found\n").devices());
    }

    @Test
    void missingCommandIsNamed() {
        String missing = directory.resolve("absent").toString();
        String message = Thrown.message(
                DeviceProviderException.class, () -> NvidiaSmiProvider.open(missing, new ProcessCommandRunner(10_000)));
        assertTrue(message.contains(missing), message);
    }

    @Test
    void hangingCommandIsGivenUp() throws IOException {
        Files.writeString(directory.resolve("nvidia-smi"), "#!/bin/sh\nexec sleep 600\n");
        String message = Thrown.message(
                DeviceProviderException.class, () -> NvidiaSmiProvider.open(command, new ProcessCommandRunner(300)));
        assertTrue(message.contains("no answer within 300 ms"), message);
    }

    @Test
    void processesAreReadByColumnName() {
        List<GpuDevice> asked = List.of(
                new GpuDevice("GPU-aa", 0, "A100", 40960, 400),
                new GpuDevice("GPU-bb", 1, "T4", 15360, 70),
                new GpuDevice("GPU-cc", 2, "T4", 15360, 70));
        String old =
                """
                # gpu        pid  type    sm   mem   enc   dec   command
                # Idx          #   C/G     %     %     %     %   name
                    0       4711     C    75    12     -     -   python3
                    0       4712     C     -     -     -     -   python3
                    1          -     -     -     -     -     -   -
                """;
        Map<String, List<ProcessUse>> expected =
                Map.of("GPU-aa", List.of(ProcessUse.ofProcess(4711, ProcessUse.JUST_NOW, 75)), "GPU-bb", List.of());
        assertEquals(expected, NvidiaSmiProcesses.parse(old, asked), "the third has no row: it cannot tell");
        String later =
                """
                # gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command
                # Idx           #    C/G      %      %      %      %      %      %    name
                    0       4711     C     75     12      -      -      -      -    a b #1
                    1          -     -      -      -      -      -      -      -    -
                """;
        assertEquals(expected, NvidiaSmiProcesses.parse(later, asked));
        assertEquals(Map.of(), NvidiaSmiProcesses.parse("Not supported on the device(s)\n", asked));
        assertEquals(Map.of(), NvidiaSmiProcesses.parse("", asked));
    }

    @Test
    void processesOfTheDevicesThatAreAskedFor() throws IOException {
        NvidiaSmiProvider provider = open(0, FIRST + SECOND);
        Files.writeString(
                directory.resolve("nvidia-smi"),
                "#!/bin/sh\n[ \"$*\" = 'pmon -c 1 -s u -i 1' ] || exit 97\n"
                        + "echo '# gpu pid type sm mem enc dec command'\necho '1 4711 C 25 1 0 0 x'\n");
        assertEquals(
                Map.of("GPU-bb", List.of(ProcessUse.ofProcess(4711, ProcessUse.JUST_NOW, 25))),
                provider.processes(Map.of("GPU-bb", List.of("c1", "c2"))));
        assertEquals(Map.of(), provider.processes(Map.of()), "nothing is run for nothing");
        assertEquals(Map.of(), provider.processes(Map.of("GPU-aa", List.of())), "it has failed");
    }

    private NvidiaSmiProvider open(int status, String output) throws IOException {
        say(status, output);
        return NvidiaSmiProvider.open(command, new ProcessCommandRunner(30_000));
    }

    private void say(int status, String output) throws IOException {
        Files.writeString(directory.resolve("status"), Integer.toString(status));
        Files.writeString(directory.resolve("output"), output);
    }
}
