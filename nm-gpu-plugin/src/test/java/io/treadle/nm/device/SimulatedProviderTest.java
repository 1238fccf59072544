// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.FakeClock;
import io.treadle.nm.TestConf;
import io.treadle.nm.Thrown;
import io.treadle.nm.conf.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedProviderTest {
    private final FakeClock clock = new FakeClock();

    @Test
    void parsesGroups() {
        List<GpuDevice> devices = SimulatedDevices.parse("2xA100-SXM4-40GB:40960:400, 1xT4:15360:70", "n1");
        assertEquals(3, devices.size());
        assertEquals(List.of(0, 1, 2), devices.stream().map(GpuDevice::index).toList());
        assertEquals("T4", devices.get(2).model());
        assertEquals(15360, devices.get(2).memoryMiB());
        assertEquals(400, devices.get(1).limitWatts());
        assertTrue(
                devices.get(0).uuid().matches("GPU-sim-[0-9a-f]{8}-0"),
                devices.get(0).uuid());
    }

    @Test
    void uuidsStayOverRestartsAndDifferBetweenNodes() {
        assertEquals(SimulatedDevices.parse("1xT4:1:1", "n1"), SimulatedDevices.parse("1xT4:1:1", "n1"));
        assertNotEquals(SimulatedDevices.parse("1xT4:1:1", "n1"), SimulatedDevices.parse("1xT4:1:1", "n2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A100", "2xA100:40960", "x:1:1", "1xT4:0:70", "1xT4:1:1,", "999xT4:1:1,999xT4:1:1"})
    void refusesOtherForms(String text) {
        String message = Thrown.message(SettingException.class, () -> SimulatedDevices.parse(text, "n1"));
        assertTrue(message.contains("simulated-devices is '" + text + "'"), message);
    }

    @Test
    void missingSettingIsNamed() {
        assertThrows(SettingException.class, () -> SimulatedProvider.open(TestConf.of(), clock));
    }

    @Test
    void drawGoesToTheLimitWhileHeldAndBackAfterwards() {
        SimulatedProvider provider =
                SimulatedProvider.open(TestConf.of("simulated-devices", "1xA100:40960:400"), clock);
        String uuid = provider.devices().get(0).uuid();
        assertEquals(60, read(provider, uuid, Set.of()).watts(), 1e-9);
        clock.advance(60_000);
        DeviceReading busy = read(provider, uuid, Set.of(uuid));
        assertEquals(360, busy.watts(), 0.01);
        assertEquals(100, busy.utilizationPercent(), 0.01);
        assertTrue(busy.memoryUsedMiB() > 0 && busy.temperatureCelsius() > 60);
        clock.advance(60_000);
        DeviceReading idle = read(provider, uuid, Set.of());
        assertEquals(60, idle.watts(), 0.01);
        assertEquals(0, idle.memoryUsedMiB());
        assertTrue(idle.energyMillijoules() > busy.energyMillijoules());
        assertEquals(400, idle.capWatts());
        assertTrue(provider.simulated());
        assertEquals("simulated", provider.name());
    }

    @Test
    void deviceInTheLostFileIsLostUntilTakenOut(@TempDir Path directory) throws IOException {
        Path lost = directory.resolve("lost");
        SimulatedProvider provider = SimulatedProvider.open(
                TestConf.of("simulated-devices", "2xT4:15360:70", "simulated-lost-file", lost.toString()), clock);
        String first = provider.devices().get(0).uuid();
        String second = provider.devices().get(1).uuid();
        assertFalse(read(provider, first, Set.of()).lost());
        Files.writeString(lost, first + "\n");
        assertTrue(read(provider, first, Set.of()).lost());
        assertFalse(read(provider, second, Set.of()).lost());
        Files.writeString(lost, "");
        assertFalse(read(provider, first, Set.of()).lost());
    }

    @Test
    void lowerCapLowersDrawAndEnergyAsTheModelSays() throws PowerLimitException {
        double free = settledWatts(400);
        double high = settledWatts(300);
        double low = settledWatts(150);
        double least = settledWatts(100);
        assertEquals(360, free, 0.1);
        assertTrue(free > high && high > low && low > least, free + " " + high + " " + low + " " + least);
        // (cap^-3 + P^-3)^(-1/3) with P = 400 * (0.9^-3 - 1)^(-1/3) = 556.3 W, worked out by hand.
        assertEquals(285.78, high, 0.01);
        assertEquals(149.03, low, 0.01);
        assertTrue(least <= 100, "never above the cap: " + least);
    }

    /** Draw of a busy device after a minute under the cap; its energy counter must agree. */
    private double settledWatts(int cap) throws PowerLimitException {
        SimulatedProvider provider =
                SimulatedProvider.open(TestConf.of("simulated-devices", "1xA100:40960:400"), clock);
        String uuid = provider.devices().get(0).uuid();
        provider.setLimit(uuid, cap * 1000L);
        clock.advance(60_000);
        DeviceReading before = read(provider, uuid, Set.of(uuid));
        clock.advance(10_000);
        DeviceReading after = read(provider, uuid, Set.of(uuid));
        assertEquals(cap, after.capWatts());
        assertEquals(cap, after.effectiveCapWatts());
        assertEquals(
                after.watts() * 10_000, after.energyMillijoules() - (double) before.energyMillijoules(), 100, "mJ");
        return after.watts();
    }

    @Test
    void capOutOfRangeIsRefused() throws PowerLimitException {
        SimulatedProvider provider =
                SimulatedProvider.open(TestConf.of("simulated-devices", "1xA100:40960:400"), clock);
        String uuid = provider.devices().get(0).uuid();
        assertEquals(new PowerLimits(100_000, 400_000, 400_000, 400_000, 400_000), provider.limits(uuid));
        for (long milliwatts : new long[] {99_999, 400_001}) {
            PowerLimitException refused =
                    assertThrows(PowerLimitException.class, () -> provider.setLimit(uuid, milliwatts));
            assertEquals(PowerLimitException.Reason.OUT_OF_RANGE, refused.reason());
        }
        PowerLimitException absent = assertThrows(PowerLimitException.class, () -> provider.limits("GPU-none"));
        assertEquals(PowerLimitException.Reason.LOST, absent.reason());
    }

    @Test
    void noiseIsSmallAndTheSameForTheSameDevice() {
        List<Double> first = noisy();
        assertEquals(first, noisy());
        assertTrue(first.stream().distinct().count() > 90, first.toString());
        double mean = first.stream().mapToDouble(w -> w).average().orElseThrow();
        assertEquals(60, mean, 1, "idle, 2 % around 60 W");
    }

    private List<Double> noisy() {
        SimulatedProvider provider = SimulatedProvider.open(
                TestConf.of("simulated-devices", "1xA100:40960:400", "simulated-noise", "0.02"), clock);
        String uuid = provider.devices().get(0).uuid();
        return IntStream.range(0, 100)
                .mapToObj(i -> read(provider, uuid, Set.of()).watts())
                .toList();
    }

    @Test
    void containersThatShareADeviceShareItsActivity() {
        SimulatedProvider provider =
                SimulatedProvider.open(TestConf.of("simulated-devices", "1xA100:40960:400"), clock);
        String uuid = provider.devices().get(0).uuid();
        read(provider, uuid, Set.of(uuid));
        assertEquals(Map.of(uuid, List.of()), provider.processes(Map.of(uuid, List.of("c1"))), "just begun");
        clock.advance(60_000);
        read(provider, uuid, Set.of(uuid));
        assertEquals(List.of(100.0, 0.0), percents(provider, uuid));
        // One that is 4 s old is busy for 1 - 1/e of the time, the other always.
        clock.advance(4_000);
        read(provider, uuid, Set.of(uuid));
        assertEquals(List.of(61.3, 38.7), percents(provider, uuid));
        clock.advance(60_000);
        read(provider, uuid, Set.of(uuid));
        assertEquals(List.of(50.0, 50.0), percents(provider, uuid));
    }

    /** Of two containers, in tenths. */
    private List<Double> percents(SimulatedProvider provider, String uuid) {
        List<ProcessUse> uses =
                provider.processes(Map.of(uuid, List.of("c1", "c2"))).getOrDefault(uuid, List.of());
        return Stream.of("c1", "c2")
                .map(container -> uses.stream()
                        .filter(use -> use.container().equals(container))
                        .mapToDouble(ProcessUse::percent)
                        .sum())
                .map(percent -> Math.round(percent * 10) / 10.0)
                .toList();
    }

    private static DeviceReading read(DeviceProvider provider, String uuid, Set<String> held) {
        return provider.read(held).getOrDefault(uuid, DeviceReading.LOST);
    }
}
