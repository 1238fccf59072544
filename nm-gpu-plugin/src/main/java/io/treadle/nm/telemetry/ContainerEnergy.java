// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.EnergyFile;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.Grant;
import io.treadle.nm.power.CapRange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What each container is told of its GPUs' energy and caps. */
public final class ContainerEnergy {
    private ContainerEnergy() {}

    /**
     * @param book who holds what
     * @param readings of the devices, by UUID
     * @param ranges of the devices' limits, by UUID
     * @param spent energy of each container, mJ
     * @param atMs when the devices were read, ms since the epoch
     * @return by container that holds a GPU which answers, and whose energy is counted
     */
    public static Map<String, EnergyFile> of(
            DeviceBook book,
            Map<String, DeviceReading> readings,
            Map<String, CapRange> ranges,
            Map<String, Long> spent,
            long atMs) {
        Map<String, EnergyFile> files = new TreeMap<>();
        for (String container : book.containers()) {
            List<String> held = book.grants(container).stream()
                    .filter(grant -> grant.state() == Grant.State.READY)
                    .map(Grant::uuid)
                    .toList();
            Long millijoules = spent.get(container);
            if (!held.isEmpty() && millijoules != null) {
                files.put(
                        container,
                        new EnergyFile(
                                atMs,
                                millijoules,
                                held.size(),
                                lowest(held, uuid -> cap(readings.getOrDefault(uuid, DeviceReading.SILENT))),
                                -lowest(held, uuid -> -range(ranges, uuid).leastWatts()),
                                lowest(held, uuid -> range(ranges, uuid).ownWatts())));
            }
        }
        return files;
    }

    private static double cap(DeviceReading reading) {
        return reading.effectiveCapWatts() > 0 ? reading.effectiveCapWatts() : Math.max(0, reading.capWatts());
    }

    private static CapRange range(Map<String, CapRange> ranges, String uuid) {
        return ranges.getOrDefault(uuid, new CapRange(0, 0));
    }

    private static double lowest(List<String> uuids, ToDoubleFunction<String> watts) {
        return uuids.stream().mapToDouble(watts).min().orElse(0);
    }
}
