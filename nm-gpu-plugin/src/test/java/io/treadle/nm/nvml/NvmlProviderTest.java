// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.TestConf;
import io.treadle.nm.Thrown;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvmlProviderTest {
    private final Path directory;
    private final FakeNvml nvml;

    NvmlProviderTest(@TempDir Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.nvml = FakeNvml.build(directory);
    }

    @BeforeEach
    void twoGoodDevices() throws IOException {
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0), FakeNvml.gpu("GPU-bb", 70_000, 0));
    }

    @Test
    void readsDevicesAndTheirChangingDraw() throws IOException {
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            assertEquals(
                    List.of(
                            new GpuDevice("GPU-aa", 0, "NVIDIA-A100-SXM4-40GB", 40960, 400),
                            new GpuDevice("GPU-bb", 1, "NVIDIA-A100-SXM4-40GB", 40960, 400)),
                    provider.devices());
            assertEquals(new DeviceReading(false, 61.5, 400, 55, 424, 48, 123_456_789), read(provider, "GPU-aa"));
            nvml.say("init 0", FakeNvml.gpu("GPU-aa", 333_000, 0), FakeNvml.gpu("GPU-bb", 70_000, 0));
            assertEquals(333.0, read(provider, "GPU-aa").watts());
        }
    }

    @Test
    void memoryThatTheDriverReservesCountsAsUsedOnlyWhereTheDriverCannotTellItApart(@TempDir Path old)
            throws IOException, InterruptedException {
        FakeNvml before510 = FakeNvml.build(old, "-DBEFORE_510");
        before510.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0));
        try (NvmlProvider newer = NvmlProvider.open(nvml.library());
                NvmlProvider older = NvmlProvider.open(before510.library())) {
            assertEquals(424, read(newer, "GPU-aa").memoryUsedMiB());
            assertEquals(1024, read(older, "GPU-aa").memoryUsedMiB());
            assertEquals(newer.devices().get(0), older.devices().get(0));
        }
    }

    @Test
    void lostGpuTakesAwayThatDeviceOnly() throws IOException {
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 15), FakeNvml.gpu("GPU-bb", 70_000, 0));
            assertTrue(read(provider, "GPU-aa").lost());
            assertFalse(read(provider, "GPU-bb").lost());
        }
    }

    @Test
    void gpuThatIsLostAtStartIsLeftOut() throws IOException {
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 15), FakeNvml.gpu("GPU-bb", 70_000, 0));
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            assertEquals(
                    List.of("GPU-bb"),
                    provider.devices().stream().map(GpuDevice::uuid).toList());
            assertEquals(1, provider.devices().get(0).index());
        }
    }

    @Test
    void gpuThatWasResetComesBackWithAFreshStartOfTheLibrary() throws IOException {
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            nvml.say("reset 1", FakeNvml.gpu("GPU-aa", 61_500, 0), FakeNvml.gpu("GPU-bb", 70_000, 0));
            for (int i = 0; i < NvmlProvider.READINGS_PER_RESTART; i++) {
                assertTrue(read(provider, "GPU-aa").lost(), "reading " + i);
            }
            assertEquals(61.5, read(provider, "GPU-aa").watts());
            assertEquals(70.0, read(provider, "GPU-bb").watts());
        }
    }

    @Test
    void othersGoOnWhileOneGpuStaysAway() throws IOException {
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 16), FakeNvml.gpu("GPU-bb", 70_000, 0));
            for (int i = 0; i < 3 * NvmlProvider.READINGS_PER_RESTART; i++) {
                assertTrue(read(provider, "GPU-aa").lost(), "reading " + i);
                assertEquals(70.0, read(provider, "GPU-bb").watts(), "reading " + i);
            }
        }
    }

    @Test
    void gpuThatComesBackAfterAStartWithoutItIsNotAddedByItself() throws IOException {
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 15), FakeNvml.gpu("GPU-bb", 70_000, 0));
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            twoGoodDevices();
            for (int i = 0; i < 2 * NvmlProvider.READINGS_PER_RESTART; i++) {
                assertEquals(Set.of("GPU-bb"), provider.read(Set.of()).keySet());
            }
        }
    }

    @Test
    void driverWithoutEnergyCountersIsReadAllTheSame() throws IOException, InterruptedException {
        Path old = Files.createDirectory(directory.resolve("old"));
        FakeNvml beforeVolta = FakeNvml.build(old, "-DBEFORE_VOLTA");
        beforeVolta.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0));
        try (NvmlProvider provider = NvmlProvider.open(beforeVolta.library())) {
            assertEquals(
                    new DeviceReading(false, 61.5, 400, 55, 424, 48, DeviceReading.NO_COUNTER),
                    read(provider, "GPU-aa"));
        }
    }

    @Test
    void libraryThatIsNotNvmlIsNoFailureOfTheNode() {
        String message = Thrown.message(DeviceProviderException.class, () -> NvmlProvider.open("libz.so.1"));
        assertTrue(message.startsWith("library libz.so.1 has not the functions of NVML"), message);
        assertTrue(message.contains("nvmlInit_v2") && message.contains("\nMaybe " + NodeConf.NVML_LIBRARY), message);
    }

    @Test
    void figuresThatABoardDoesNotHaveAreNought() throws IOException {
        nvml.say("init 0", "gpu GPU-aa Tesla-M60 8192 0 -1 -1 0 40 -1 0");
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            assertEquals(new DeviceReading(false, 0, 0, 0, 0, 40, DeviceReading.NO_COUNTER), read(provider, "GPU-aa"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, nvidia-smi",
        "18, reboot the node",
        "9, modprobe nvidia",
        "4, /dev/nvidiactl",
        "15, fallen off the bus",
        "16, fallen off the bus",
        "999, nvrm",
        "7, nvidia-smi",
    })
    void eachWayThatADriverIsBrokenHasItsMessage(int code, String advice) throws IOException {
        nvml.say("init " + code);
        String message = Thrown.message(DeviceProviderException.class, () -> NvmlProvider.open(nvml.library()));
        assertTrue(message.contains(Integer.toString(code)) && message.contains(advice), message);
        assertTrue(message.contains("\nMaybe "), message);
    }

    @Test
    void reloadedDriverIsStartedAgain() throws IOException {
        try (NvmlProvider provider = NvmlProvider.open(nvml.library())) {
            nvml.say("init 1", FakeNvml.gpu("GPU-aa", 61_500, 0), FakeNvml.gpu("GPU-bb", 70_000, 0));
            assertThrows(DeviceProviderException.class, () -> provider.read(Set.of()));
            twoGoodDevices();
            assertEquals(61.5, read(provider, "GPU-aa").watts());
        }
    }

    @Test
    void absentLibraryMeansNoDriver() {
        String message =
                Thrown.message(DeviceProviderException.class, () -> NvmlProvider.open("/nowhere/libnvidia-ml.so.1"));
        assertTrue(message.contains("no library /nowhere/libnvidia-ml.so.1"), message);
    }

    @Test
    void jnaThatCannotUnpackItselfIsNotTakenForAnAbsentDriver() throws IOException, InterruptedException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djna.nosys=true",
                        "-Djna.tmpdir=/proc",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.treadle.nm.DevicesMain",
                        "--provider",
                        "nvml")
                .redirectErrorStream(true)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, jvm.waitFor(), output);
        assertTrue(output.contains("treadle: device provider nvml: JNA cannot load its own library ("), output);
        assertTrue(output.contains("\nMaybe /tmp is mounted noexec") && output.contains("-Djna.tmpdir="), output);
    }

    @Test
    void autoTakesNvmlFirst() {
        var discovery = DeviceProbe.discover(TestConf.of("nvml-library", nvml.library()), Clock.systemUTC());
        assertEquals("nvml", discovery.provider().name());
        assertEquals(2, discovery.provider().devices().size());
        assertEquals(List.of(), discovery.notes());
    }

    @Test
    void autoSaysWhyEachProviderGaveNothingAndNeverSimulates() throws IOException {
        nvml.say("init 18");
        var discovery = DeviceProbe.discover(
                TestConf.of(
                        "nvml-library", nvml.library(),
                        "nvidia-smi", "/nowhere/nvidia-smi",
                        "rocm-smi", "/nowhere/rocm-smi",
                        "simulated-devices", "1xT4:15360:70"),
                Clock.systemUTC());
        assertEquals("none", discovery.provider().name());
        assertEquals(3, discovery.notes().size());
        assertTrue(discovery.notes().get(0).startsWith("nvml: NVML does not start: 18"), discovery.toString());
        assertTrue(discovery.notes().get(1).startsWith("nvidia-smi: cannot run /nowhere"), discovery.toString());
        assertTrue(discovery.notes().get(2).startsWith("rocm-smi: cannot run /nowhere"), discovery.toString());
    }

    private static DeviceReading read(NvmlProvider provider, String uuid) {
        return provider.read(Set.of()).getOrDefault(uuid, DeviceReading.SILENT);
    }
}
