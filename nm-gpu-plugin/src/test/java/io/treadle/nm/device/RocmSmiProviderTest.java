// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.DeviceVendor;
import io.treadle.nm.TestConf;
import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocmSmiProviderTest {
    private static final double NOT_EXACT = 1e-9;

    private final Path directory;
    private final RocmSmiStandIn tool;

    RocmSmiProviderTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.tool = RocmSmiStandIn.install(directory);
    }

    private RocmSmiProvider open() {
        return RocmSmiProvider.open(tool.command(), new ProcessCommandRunner(30_000), directory.resolve("pci"));
    }

    @Test
    void readsReleasesFourToSix() throws IOException {
        tool.say(RocmSmiStandIn.ROCM_4);
        assertEquals(
                List.of(new GpuDevice("GPU-02150e7d042a1124", 0, "Arcturus GL-XL [AMD Instinct MI100]", 32752, 290)),
                open().devices());
        tool.say(RocmSmiStandIn.ROCM_5);
        assertEquals(
                List.of("GPU-719d230578348e8c", "GPU-719d230578348e8d"),
                open().devices().stream().map(GpuDevice::uuid).toList());
        tool.say(RocmSmiStandIn.ROCM_6);
        RocmSmiProvider newest = open();
        assertEquals(
                List.of(
                        new GpuDevice("GPU-e5d7a9b1c3f20468", 0, "AMD Instinct MI300X OAM", 196592, 750),
                        new GpuDevice("1", 1, "AMD Radeon RX 9070 XT", 16368, 0)),
                newest.devices());
        assertEquals(List.of("card 2 is left out: it tells no memory"), newest.leftOut());
    }

    @Test
    void readsDrawMemoryUseAndTemperature() throws IOException {
        tool.say(RocmSmiStandIn.ROCM_5);
        Map<String, DeviceReading> readings = open().read(Set.of());
        DeviceReading first = readings.getOrDefault("GPU-719d230578348e8c", DeviceReading.LOST);
        assertEquals(102, first.watts(), NOT_EXACT);
        assertEquals(560, first.capWatts(), NOT_EXACT);
        assertEquals(50, first.utilizationPercent(), NOT_EXACT);
        assertEquals(49140, first.memoryUsedMiB());
        assertEquals(43, first.temperatureCelsius(), NOT_EXACT);
        DeviceReading second = readings.getOrDefault("GPU-719d230578348e8d", DeviceReading.LOST);
        assertEquals(0, second.watts(), NOT_EXACT, "the first die's figure is that of both");
        tool.say(RocmSmiStandIn.ROCM_6);
        assertEquals(
                266,
                open().read(Set.of())
                        .getOrDefault("GPU-e5d7a9b1c3f20468", DeviceReading.LOST)
                        .watts(),
                NOT_EXACT);
    }

    @Test
    void cardThatIsListedNoMoreIsLost() throws IOException {
        tool.say(RocmSmiStandIn.ROCM_5);
        RocmSmiProvider provider = open();
        tool.say(RocmSmiStandIn.ROCM_4);
        assertTrue(provider.read(Set.of()).values().stream().allMatch(DeviceReading::lost));
    }

    @Test
    void outputThatIsNoJsonIsRefusedWithItsFirstLines() throws IOException {
        for (String output :
                List.of("", "ERROR:root:Driver not initialized (amdgpu not found)\n", "{\"card0\":", "[1]")) {
            tool.say(output);
            String said = String.valueOf(
                    assertThrows(DeviceProviderException.class, this::open).getMessage());
            assertTrue(said.contains("exited with 0 and printed no JSON: "), said);
            assertTrue(said.contains("\nMaybe the amdgpu driver"), said);
        }
    }

    /** The kernel's list of PCI devices, as far as it concerns a GPU. */
    @Test
    void deviceFilesAreThoseThatTheKernelNames() throws IOException {
        Path drm = Files.createDirectories(directory.resolve("pci/0000:c1:00.0/drm"));
        Files.createDirectory(drm.resolve("card1"));
        Files.createDirectory(drm.resolve("renderD129"));
        Files.createDirectory(drm.resolve("controlD65"));
        tool.say(RocmSmiStandIn.ROCM_4);
        RocmSmiProvider provider = open();
        assertEquals(
                List.of("/dev/kfd", "/dev/dri/card1", "/dev/dri/renderD129"),
                provider.deviceFiles("GPU-02150e7d042a1124"));
        assertEquals(List.of(), provider.deviceFiles("GPU-unknown"));
    }

    @Test
    void nodeWithoutNvidiasDriverFindsAmdsCards() throws IOException {
        tool.say(RocmSmiStandIn.ROCM_6);
        Configuration conf = TestConf.hadoop();
        conf.set(NodeConf.NVML_LIBRARY, directory.resolve("none.so").toString());
        conf.set(NodeConf.NVIDIA_SMI, directory.resolve("none").toString());
        conf.set(NodeConf.ROCM_SMI, tool.command());
        DeviceProbe.Discovery found = DeviceProbe.discover(NodeConf.from(conf), Clock.systemUTC());
        assertEquals("rocm-smi", found.provider().name());
        assertEquals(DeviceVendor.AMD, found.provider().vendor());
        assertEquals(2, found.provider().devices().size());
    }
}
