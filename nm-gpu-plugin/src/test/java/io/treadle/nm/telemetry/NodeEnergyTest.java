// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodePower;
import io.treadle.nm.FakeClock;
import io.treadle.nm.TestConf;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.NoDevices;
import io.treadle.nm.isolation.ContainerProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeEnergyTest {
    private final DeviceBook book =
            new DeviceBook(List.of(new GpuDevice("A", 0, "T4", 16_000, 70), new GpuDevice("B", 1, "T4", 16_000, 70)));
    private final Map<String, DeviceReading> readings = new TreeMap<>();
    private final NodeEnergy energy = new NodeEnergy(
            new NodeWatts(
                    TestConf.of().power(),
                    command -> {
                        throw new AssertionError("no command is set");
                    },
                    Optional.empty()),
            book,
            new SharedUse(
                    new NoDevices(),
                    new ContainerProcesses(Path.of("/proc"), container -> OptionalLong.empty()),
                    new FakeClock()),
            new FakeClock());

    private NodePower spend(String uuid, long millijoules, double watts) {
        readings.put(uuid, new DeviceReading(false, watts, 70, 0, 0, 0, millijoules));
        return energy.read(readings, 3);
    }

    @Test
    void energyGoesToWhoHoldsTheGpu() {
        spend("A", 1_000, 40);
        assertEquals(100, spend("A", 1_100, 40).idleMillijoules(), "what was before the first reading is nobody's");
        book.grant("c1", new DeviceAsk(1, 0, List.of()));
        NodePower power = spend("A", 1_500, 60);
        assertEquals(new NodePower(300 + 1.1 * 60, "model", 3, 500, 100, Map.of("c1", 400L), 0), power);
    }

    @Test
    void sharedGpuIsSplitByMemory() {
        spend("A", 0, 40);
        book.grant("c1", new DeviceAsk(0, 2_000, List.of()));
        book.grant("c2", new DeviceAsk(0, 6_000, List.of()));
        assertEquals(List.of("c1", "c2"), book.holders().get("A"));
        assertEquals(Map.of("c1", 25L, "c2", 76L), spend("A", 101, 40).containers());
    }

    @Test
    void lostGpuSpendsNothing() {
        spend("A", 100, 40);
        readings.put("A", DeviceReading.LOST);
        assertEquals(0, energy.read(readings, 0).gpuMillijoules());
        assertEquals(50, spend("A", 150, 40).gpuMillijoules());
    }

    @Test
    void manyEndedContainersBecomeOneFigure() {
        spend("A", 0, 40);
        for (int i = 1; i <= 3 * EnergyShares.MOST_ENDED; i++) {
            book.grant("c" + i, new DeviceAsk(1, 0, List.of()));
            spend("A", 10L * i, 40);
            book.release("c" + i);
        }
        NodePower power = spend("A", 10L * 3 * EnergyShares.MOST_ENDED, 40);
        assertEquals(EnergyShares.MOST_ENDED, power.containers().size());
        assertEquals(10L * 2 * EnergyShares.MOST_ENDED, power.endedMillijoules());
        assertTrue(power.containers().containsKey("c" + 3 * EnergyShares.MOST_ENDED), "the newest are kept");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void partsAddUpToTheWholeWhateverHappens(long seed) {
        Random random = new Random(seed);
        Map<String, Long> counters = new HashMap<>(Map.of("A", 5_000L, "B", 0L));
        counters.forEach((uuid, counter) -> spend(uuid, counter, 40));
        List<String> running = new ArrayList<>();
        long whole = 0;
        for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(3) == 0) {
                String container = "c" + step;
                int gpus = random.nextInt(2);
                book.grant(container, new DeviceAsk(gpus, gpus > 0 ? 0 : 1 + random.nextInt(9_000), List.of()));
                running.add(container);
            } else if (!running.isEmpty() && random.nextBoolean()) {
                book.release(running.remove(random.nextInt(running.size())));
            }
            for (String uuid : List.of("A", "B")) {
                long spent = random.nextInt(200_000);
                long counter = counters.merge(uuid, spent, Long::sum);
                readings.put(uuid, new DeviceReading(false, 40, 70, 0, 0, 0, counter));
                whole += spent;
            }
            NodePower power = energy.read(readings, 0);
            long named = power.containers().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertEquals(whole, power.gpuMillijoules(), "seed " + seed + ", step " + step);
            assertEquals(
                    whole,
                    power.idleMillijoules() + named + power.endedMillijoules(),
                    "seed " + seed + ", step " + step);
        }
    }

    @Test
    void splittingLosesNothing() {
        Random random = new Random(20261123);
        for (int i = 0; i < 20_000; i++) {
            Map<String, Long> weights = new TreeMap<>();
            for (int c = 1 + random.nextInt(9); c > 0; c--) {
                weights.put("c" + c, (long) random.nextInt(50_000));
            }
            long whole = random.nextLong(1L << random.nextInt(1, 50));
            Map<String, Long> parts = EnergyShares.split(whole, weights);
            assertEquals(
                    whole, parts.values().stream().mapToLong(Long::longValue).sum(), weights + " of " + whole);
            assertTrue(parts.values().stream().allMatch(p -> p >= 0), parts.toString());
        }
    }
}
