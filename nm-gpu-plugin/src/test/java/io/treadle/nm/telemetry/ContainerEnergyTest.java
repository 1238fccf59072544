// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.EnergyFile;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.power.CapRange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContainerEnergyTest {
    private final DeviceBook book = new DeviceBook(List.of(
            new GpuDevice("A", 0, "T4", 16_000, 70),
            new GpuDevice("B", 1, "T4", 16_000, 70),
            new GpuDevice("C", 2, "T4", 16_000, 70)));
    private final Map<String, DeviceReading> readings = Map.of(
            "A", new DeviceReading(false, 40, 70, 0, 0, 0, 5),
            "B", new DeviceReading(false, 40, 60, 0, 0, 0, 5, 0, List.of(), 55),
            "C", new DeviceReading(false, 40, 65, 0, 0, 0, 5));
    private final Map<String, CapRange> ranges =
            Map.of("A", new CapRange(30, 70), "B", new CapRange(35, 68), "C", new CapRange(30, 70));

    private Map<String, EnergyFile> of(Map<String, Long> spent) {
        return ContainerEnergy.of(book, readings, ranges, spent, 9);
    }

    @Test
    void ofSeveralGpusTheNarrowestLimits() {
        book.grant("c1", new DeviceAsk(2, 0, List.of()));
        book.grant("c2", new DeviceAsk(0, 4_000, List.of()));
        book.grant("c3", new DeviceAsk(0, 4_000, List.of()));
        book.grant("cpu", new DeviceAsk(0, 0, List.of()));
        assertEquals(
                Map.of(
                        "c1", new EnergyFile(9, 100, 2, 55, 35, 68),
                        "c2", new EnergyFile(9, 20, 1, 65, 30, 70),
                        "c3", new EnergyFile(9, 30, 1, 65, 30, 70)),
                of(Map.of("c1", 100L, "c2", 20L, "c3", 30L, "ended", 7L)));
    }

    @Test
    void whatIsNotCountedOrLostIsNotTold() {
        book.grant("c1", new DeviceAsk(3, 0, List.of()));
        assertEquals(Map.of(), of(Map.of()), "no counter");
        book.lost(Set.of("B"));
        assertEquals(new EnergyFile(9, 1, 2, 65, 30, 70), of(Map.of("c1", 1L)).get("c1"));
        book.lost(Set.of("A", "B", "C"));
        assertEquals(Map.of(), of(Map.of("c1", 1L)));
    }

    @Test
    void limitsThatNobodyKnowsAreZero() {
        book.grant("c1", new DeviceAsk(1, 0, List.of()));
        assertEquals(
                Map.of("c1", new EnergyFile(9, 1, 1, 0, 0, 0)),
                ContainerEnergy.of(book, Map.of(), Map.of(), Map.of("c1", 1L), 9));
    }
}
