// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.power.CapRange;
import io.treadle.nm.power.CapState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the devices again and again and makes the node's record of it. When nothing can be read at all, the last readings
 * stand: a driver that is silent for a moment loses no devices. Used by one thread.
 */
public final class DeviceMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceMonitor.class);

    private final DeviceProvider provider;
    private final DeviceBook book;
    private final Clock clock;
    private final EnergyMeter meter = new EnergyMeter();
    private Map<String, DeviceReading> readings = new HashMap<>();
    private Set<String> lost = Set.of();
    private long readMs;
    private String complaint = "";

    public DeviceMonitor(DeviceProvider provider, DeviceBook book, Clock clock) {
        this.provider = provider;
        this.book = book;
        this.clock = clock;
    }

    public void read() {
        try {
            Map<String, DeviceReading> fresh = new HashMap<>();
            provider.read(book.holders().keySet())
                    .forEach((uuid, reading) -> fresh.put(uuid, meter.metered(uuid, reading, clock.millis())));
            readings = fresh;
            readMs = clock.millis();
            complain("");
        } catch (DeviceProviderException e) {
            complain(String.valueOf(e.getMessage()));
        }
        Set<String> now = new TreeSet<>();
        readings.forEach((uuid, reading) -> {
            if (reading.lost()) {
                now.add(uuid);
            }
        });
        if (!now.equals(lost)) {
            LOG.warn("lost devices: {} (before: {})", now, lost);
            lost = now;
        }
    }

    /** The last readings, with energies that only grow, by UUID. */
    public Map<String, DeviceReading> readings() {
        return Map.copyOf(readings);
    }

    /** When the last readings were taken, ms since the epoch. */
    public long readMs() {
        return readMs;
    }

    /** UUIDs of the devices that did not answer at the last reading. */
    public Set<String> lost() {
        return lost;
    }

    /** @param node {@code host:port} of the NodeManager */
    public NodeRecord record(String node) {
        return record(node, Map.of(), Optional.empty());
    }

    /**
     * @param node {@code host:port} of the NodeManager
     * @param caps how the devices' caps stand, by UUID; empty where nothing caps them
     * @param power the node's draw; empty where nobody looks at it
     */
    public NodeRecord record(String node, Map<String, CapState> caps, Optional<NodePower> power) {
        return record(node, caps, Map.of(), power);
    }

    /**
     * @param node {@code host:port} of the NodeManager
     * @param caps how the devices' caps stand, by UUID; empty where nothing caps them
     * @param ranges where their caps may be, by UUID
     * @param power the node's draw; empty where nobody looks at it
     */
    public NodeRecord record(
            String node, Map<String, CapState> caps, Map<String, CapRange> ranges, Optional<NodePower> power) {
        Map<String, List<String>> holders = book.holders();
        List<NodeRecord.Device> devices = new ArrayList<>();
        for (GpuDevice device : provider.devices()) {
            DeviceReading reading = readings.getOrDefault(device.uuid(), DeviceReading.SILENT);
            devices.add(new NodeRecord.Device(
                    device.uuid(),
                    device.index(),
                    device.model(),
                    device.memoryMiB(),
                    provider.simulated(),
                    reading.lost() ? NodeRecord.Health.LOST : NodeRecord.Health.OK,
                    tenth(reading.watts()),
                    tenth(reading.capWatts()),
                    tenth(reading.utilizationPercent()),
                    reading.memoryUsedMiB(),
                    tenth(reading.temperatureCelsius()),
                    Math.max(0, reading.energyMillijoules()),
                    holders.getOrDefault(device.uuid(), List.of()),
                    power(
                            reading,
                            Optional.ofNullable(caps.get(device.uuid())),
                            ranges.getOrDefault(device.uuid(), new CapRange(0, 0)))));
        }
        return new NodeRecord(node, clock.millis(), devices, power);
    }

    private static Optional<DevicePower> power(DeviceReading reading, Optional<CapState> cap, CapRange range) {
        if (cap.isEmpty() && reading.smMegahertz() == 0 && reading.effectiveCapWatts() == 0) {
            return Optional.empty();
        }
        return Optional.of(new DevicePower(
                reading.smMegahertz(),
                reading.throttle(),
                tenth(
                        reading.effectiveCapWatts() > 0
                                ? reading.effectiveCapWatts()
                                : cap.map(CapState::effectiveWatts).orElse(0.0)),
                tenth(cap.map(CapState::wantedWatts).orElse(0.0)),
                cap.map(CapState::actuator).orElse(""),
                cap.map(CapState::trouble).orElse(""),
                tenth(range.leastWatts()),
                tenth(range.ownWatts())));
    }

    /** One line for each new trouble, and one when it is over. */
    private void complain(String trouble) {
        if (!trouble.equals(complaint)) {
            if (trouble.isEmpty()) {
                LOG.info("{} answers again", provider.name());
            } else {
                LOG.warn("{} does not answer, keeping the last readings: {}", provider.name(), trouble);
            }
            complaint = trouble;
        }
    }

    private static double tenth(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
