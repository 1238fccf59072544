// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MIG on a fake NVML, as no card with MIG is at hand: a divided card between two whole ones. */
class NvmlMigTest {
    private static final double NOT_EXACT = 1e-6;

    private static final String[] NODE = {
        FakeNvml.gpu("GPU-aa", 80_000, 0),
        FakeNvml.gpu("GPU-bb", 200_000, 0),
        FakeNvml.power("GPU-bb"),
        FakeNvml.gpu("GPU-cc", 60_000, 0),
        FakeNvml.migEnabled("GPU-bb"),
        FakeNvml.migInstance("GPU-bb", 0, "MIG-b1", "3g.20gb", 15_000),
        FakeNvml.migInstance("GPU-bb", 2, "MIG-b2", "1g.5gb", 5_000),
    };

    private final Path directory;

    NvmlMigTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private FakeNvml fake(String[] lines, String... options) throws IOException, InterruptedException {
        FakeNvml fake = FakeNvml.build(directory, options);
        fake.say(lines);
        return fake;
    }

    @Test
    void instancesAreDevicesAndTheirCardIsNone() throws Exception {
        NvmlProvider provider = NvmlProvider.open(fake(NODE).library());
        assertEquals(
                List.of(
                        new GpuDevice("GPU-aa", 0, "NVIDIA-A100-SXM4-40GB", 40_960, 400),
                        new GpuDevice("MIG-b1", 1, "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb", 15_000, 300),
                        new GpuDevice("MIG-b2", 2, "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 5_000, 100),
                        new GpuDevice("GPU-cc", 3, "NVIDIA-A100-SXM4-40GB", 40_960, 400)),
                provider.devices());
        assertEquals(1, provider.leftOut().size());
        assertTrue(
                provider.leftOut().get(0).startsWith("GPU 1 is no device of its own: MIG divides it into 2 instances"),
                provider.leftOut()::toString);
    }

    @Test
    void drawAndEnergyOfTheCardAreSplitByMemory() throws Exception {
        NvmlProvider provider = NvmlProvider.open(fake(NODE).library());
        Map<String, DeviceReading> readings = provider.read(Set.of());
        DeviceReading large = readings.getOrDefault("MIG-b1", DeviceReading.LOST);
        DeviceReading small = readings.getOrDefault("MIG-b2", DeviceReading.LOST);
        assertEquals(150, large.watts(), NOT_EXACT);
        assertEquals(50, small.watts(), NOT_EXACT);
        assertEquals(300, large.capWatts(), NOT_EXACT);
        assertEquals(100, large.memoryUsedMiB());
        assertEquals(0, large.utilizationPercent(), NOT_EXACT, "nobody tells it");
        assertEquals(123_456_789.0, (double) (large.energyMillijoules() + small.energyMillijoules()), 1.0);
        assertEquals(80, readings.getOrDefault("GPU-aa", DeviceReading.LOST).watts(), NOT_EXACT);
    }

    @Test
    void limitsBelongToTheCard() throws Exception {
        FakeNvml fake = fake(NODE);
        NvmlProvider provider = NvmlProvider.open(fake.library());
        for (PowerLimitException refused : List.of(
                assertThrows(PowerLimitException.class, () -> provider.limits("MIG-b1")),
                assertThrows(PowerLimitException.class, () -> provider.setLimit("MIG-b1", 200_000)))) {
            assertEquals(PowerLimitException.Reason.NOT_SUPPORTED, refused.reason());
            assertEquals("a MIG instance shares the power limit of its card GPU-bb", refused.getMessage());
        }
        assertEquals(List.of(), fake.limitsSet("GPU-bb"));
    }

    @Test
    void instanceThatWasTakenAwayIsLostAndTheOthersAreNot() throws Exception {
        FakeNvml fake = fake(NODE);
        NvmlProvider provider = NvmlProvider.open(fake.library());
        String[] fewer = NODE.clone();
        fewer[6] = FakeNvml.migInstance("GPU-bb", 2, "MIG-b2", "1g.5gb", 5_000).replaceAll(" 0$", " 2");
        fake.say(fewer);
        Map<String, DeviceReading> readings = provider.read(Set.of());
        assertTrue(readings.getOrDefault("MIG-b2", DeviceReading.SILENT).lost());
        assertEquals(150, readings.getOrDefault("MIG-b1", DeviceReading.LOST).watts(), NOT_EXACT);
    }

    @Test
    void cardThatIsDividedLaterIsLostUntilItIsWholeAgain() throws Exception {
        String[] whole = {FakeNvml.gpu("GPU-aa", 80_000, 0), FakeNvml.gpu("GPU-bb", 200_000, 0)};
        FakeNvml fake = fake(whole);
        NvmlProvider provider = NvmlProvider.open(fake.library());
        assertFalse(provider.read(Set.of())
                .getOrDefault("GPU-bb", DeviceReading.LOST)
                .lost());
        fake.say(whole[0], whole[1], FakeNvml.migEnabled("GPU-bb"));
        Map<String, DeviceReading> readings = provider.read(Set.of());
        assertTrue(readings.getOrDefault("GPU-bb", DeviceReading.SILENT).lost());
        assertFalse(readings.getOrDefault("GPU-aa", DeviceReading.LOST).lost());
        fake.say(whole);
        assertFalse(provider.read(Set.of())
                .getOrDefault("GPU-bb", DeviceReading.LOST)
                .lost());
    }

    @Test
    void cardThatIsLostTakesItsInstancesAlong() throws Exception {
        FakeNvml fake = fake(NODE);
        NvmlProvider provider = NvmlProvider.open(fake.library());
        String[] lost = NODE.clone();
        lost[1] = FakeNvml.gpu("GPU-bb", 200_000, 15);
        fake.say(lost);
        Map<String, DeviceReading> readings = provider.read(Set.of());
        assertTrue(readings.getOrDefault("MIG-b1", DeviceReading.SILENT).lost());
        assertTrue(readings.getOrDefault("MIG-b2", DeviceReading.SILENT).lost());
    }

    @Test
    void dividedCardWithoutInstancesIsNoDeviceAndSaysWhy() throws Exception {
        NvmlProvider provider =
                NvmlProvider.open(fake(new String[] {FakeNvml.gpu("GPU-aa", 80_000, 0), FakeNvml.migEnabled("GPU-aa")})
                        .library());
        assertEquals(List.of(), provider.devices());
        assertTrue(provider.leftOut().get(0).contains("\nMaybe make some"), provider.leftOut()::toString);
    }

    @Test
    void driverThatKnowsNoMigDividesNothing() throws Exception {
        NvmlProvider provider = NvmlProvider.open(fake(NODE, "-DWITHOUT_MIG").library());
        assertEquals(
                List.of("GPU-aa", "GPU-bb", "GPU-cc"),
                provider.devices().stream().map(GpuDevice::uuid).toList());
    }
}
