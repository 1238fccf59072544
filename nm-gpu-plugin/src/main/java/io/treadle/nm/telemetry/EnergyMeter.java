// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceReading;
import java.util.HashMap;
import java.util.Map;

/** Adds up draw over time for devices that have no energy counter of their own; by trapezoids between readings. */
final class EnergyMeter {
    private record Mark(long ms, double watts, double millijoules) {}

    private final Map<String, Mark> marks = new HashMap<>();

    /** The reading itself where it bears a counter, or the device is lost; else with the energy since the first reading. */
    DeviceReading metered(String uuid, DeviceReading reading, long nowMs) {
        if (reading.energyMillijoules() != DeviceReading.NO_COUNTER) {
            return reading;
        }
        Mark last = marks.get(uuid);
        if (reading.lost()) {
            return last == null ? reading : reading.withEnergy(Math.round(last.millijoules()));
        }
        double spent = last == null
                ? 0
                : last.millijoules() + (last.watts() + reading.watts()) / 2 * Math.max(0, nowMs - last.ms());
        marks.put(uuid, new Mark(nowMs, reading.watts(), spent));
        return reading.withEnergy(Math.round(spent));
    }
}
