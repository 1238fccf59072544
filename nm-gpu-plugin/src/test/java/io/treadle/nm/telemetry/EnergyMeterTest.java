// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.nm.device.DeviceReading;
import org.junit.jupiter.api.Test;

class EnergyMeterTest {
    private final EnergyMeter meter = new EnergyMeter();

    @Test
    void addsTrapezoids() {
        assertEquals(0, energy(0, 100));
        assertEquals(150_000, energy(1_000, 200));
        assertEquals(550_000, energy(3_000, 200));
    }

    @Test
    void ownCounterIsKept() {
        DeviceReading reading = reading(100).withEnergy(42);
        assertEquals(reading, meter.metered("A", reading, 0));
    }

    @Test
    void lostDeviceKeepsWhatItHasSpentAndSpendsNoMore() {
        energy(0, 100);
        energy(1_000, 100);
        assertEquals(100_000, meter.metered("A", DeviceReading.LOST, 9_000).energyMillijoules());
        assertEquals(
                DeviceReading.NO_COUNTER,
                meter.metered("B", DeviceReading.LOST, 0).energyMillijoules());
    }

    @Test
    void clockThatGoesBackTakesNothingAway() {
        energy(5_000, 100);
        assertEquals(0, energy(1_000, 100));
    }

    private long energy(long ms, double watts) {
        return meter.metered("A", reading(watts), ms).energyMillijoules();
    }

    private static DeviceReading reading(double watts) {
        return new DeviceReading(false, watts, 400, 0, 0, 0, DeviceReading.NO_COUNTER);
    }
}
