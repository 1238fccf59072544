// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceReading;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes an energy of each device that only grows, out of its counter where it has one and of its draw over time where not or
 * where the counter cannot be right; and leaves out draws that cannot be right. Each kind of trouble is said once.
 */
final class EnergyMeter {
    private final Map<String, MeteredDevice> devices = new HashMap<>();

    /**
     * The reading with the device's energy: what its counter said at first and what it has spent since, or what it has spent
     * since the first reading where there is no counter. A draw that cannot be right is 0, as one that cannot be read.
     */
    DeviceReading metered(String uuid, DeviceReading reading, long nowMs) {
        if (reading.lost()) {
            MeteredDevice device = devices.get(uuid);
            return device == null ? reading : reading.withEnergy(device.millijoules());
        }
        return devices.computeIfAbsent(uuid, MeteredDevice::new).metered(reading, nowMs);
    }
}
