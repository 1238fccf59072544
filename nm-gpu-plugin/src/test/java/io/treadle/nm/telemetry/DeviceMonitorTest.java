// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.nm.FakeClock;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.power.CapState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceMonitorTest {
    private static final GpuDevice A = new GpuDevice("A", 0, "A100", 40960, 400);
    private static final GpuDevice B = new GpuDevice("B", 1, "A100", 40960, 400);

    private final FakeClock clock = new FakeClock();
    private final FakeProvider provider = new FakeProvider();
    private final DeviceBook book = new DeviceBook(List.of(A, B));
    private final DeviceMonitor monitor = new DeviceMonitor(provider, book, clock);

    @Test
    void recordNamesHoldersAndRoundsFigures() {
        book.grant("c1", new DeviceAsk(1, 0, List.of()));
        monitor.read();
        assertEquals(Set.of("A"), provider.held);
        NodeRecord node = monitor.record("n1:45454");
        assertEquals(clock.millis(), node.updatedMs());
        assertEquals(
                new NodeRecord.Device(
                        "A", 0, "A100", 40960, false, NodeRecord.Health.OK, 61.3, 400, 7, 512, 33, 9, List.of("c1")),
                node.devices().get(0));
        assertEquals(node, NodeRecord.fromJson("record", node.toJson()));
    }

    @Test
    void oneLostDeviceIsTheOnlyOneLost() {
        provider.readings = Map.of("A", DeviceReading.LOST, "B", FakeProvider.WELL);
        monitor.read();
        assertEquals(Set.of("A"), monitor.lost());
        assertEquals(
                List.of(NodeRecord.Health.LOST, NodeRecord.Health.OK),
                monitor.record("n1:1").devices().stream()
                        .map(NodeRecord.Device::health)
                        .toList());
    }

    @Test
    void silentProviderLosesNothing() {
        provider.readings = Map.of("A", DeviceReading.LOST, "B", FakeProvider.WELL);
        monitor.read();
        provider.broken = true;
        monitor.read();
        assertEquals(Set.of("A"), monitor.lost());
        assertEquals(61.3, monitor.record("n1:1").devices().get(1).watts());
        provider.broken = false;
        provider.readings = Map.of("A", FakeProvider.WELL, "B", FakeProvider.WELL);
        monitor.read();
        assertEquals(Set.of(), monitor.lost());
    }

    @Test
    void clocksAndCapsAreInTheRecord() {
        provider.readings = Map.of(
                "A",
                new DeviceReading(false, 61.26, 400, 7, 512, 33, 9, 1095, List.of("power-cap"), 250.04),
                "B",
                FakeProvider.WELL);
        monitor.read();
        NodeRecord node = monitor.record("n1:1", Map.of("B", new CapState(200, 0, "observe", "why")), Optional.empty());
        assertEquals(
                Optional.of(new DevicePower(1095, List.of("power-cap"), 250, 0, "", "")),
                node.devices().get(0).power());
        assertEquals(
                Optional.of(new DevicePower(0, List.of(), 0, 200, "observe", "why")),
                node.devices().get(1).power());
        assertEquals(node, NodeRecord.fromJson("record", node.toJson()));
    }

    private static final class FakeProvider implements DeviceProvider {
        static final DeviceReading WELL = new DeviceReading(false, 61.26, 400, 7, 512, 33, 9);

        Map<String, DeviceReading> readings = Map.of("A", WELL, "B", WELL);
        Set<String> held = Set.of();
        boolean broken;

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public List<GpuDevice> devices() {
            return List.of(A, B);
        }

        @Override
        public Map<String, DeviceReading> read(Set<String> nowHeld) {
            held = nowHeld;
            if (broken) {
                throw new DeviceProviderException("the driver is silent");
            }
            return readings;
        }
    }
}
