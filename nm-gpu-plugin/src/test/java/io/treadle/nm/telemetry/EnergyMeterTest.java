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

    @Test
    void counterThatGoesBackTakesNothingAway() {
        assertEquals(9_000_000, counted(0, 100, 9_000_000));
        assertEquals(9_200_000, counted(2_000, 100, 9_200_000));
        // The driver was loaded again: what was drawn since the last reading counts.
        assertEquals(9_400_000, counted(4_000, 100, 50));
        assertEquals(9_600_000, counted(6_000, 100, 200_050), "and the counter goes on from there");
    }

    @Test
    void counterOf32BitsMayWrap() {
        long most = 1L << 32;
        assertEquals(most - 100_000, counted(0, 100, most - 100_000));
        assertEquals(most + 100_000, counted(2_000, 100, 100_000));
        assertEquals(most + 300_000, counted(4_000, 100, 300_000));
    }

    @Test
    void counterThatJumpsIsNotBelieved() {
        assertEquals(1_000, counted(0, 100, 1_000));
        assertEquals(201_000, counted(2_000, 100, 9_000_000_000_000L));
        assertEquals(401_000, counted(4_000, 100, 9_000_000_200_000L));
    }

    @Test
    void counterThatStandsIsReplacedByTheDraw() {
        counted(0, 100, 1_000);
        for (long ms = 2_000; ms < MeteredDevice.STUCK_MS; ms += 2_000) {
            assertEquals(1_000, counted(ms, 100, 1_000), "it may only be slow");
        }
        assertEquals(1_000 + 100 * MeteredDevice.STUCK_MS, counted(MeteredDevice.STUCK_MS, 100, 1_000));
        assertEquals(6_201_000, counted(62_000, 100, 1_000));
        assertEquals(6_401_000, counted(64_000, 100, 500_000), "it moves again");
        assertEquals(6_601_000, counted(66_000, 100, 700_000));
    }

    @Test
    void counterThatGoesAwayIsReplacedByTheDraw() {
        counted(0, 100, 1_000);
        assertEquals(201_000, counted(2_000, 100, DeviceReading.NO_COUNTER));
        assertEquals(401_000, counted(4_000, 100, 401_000), "it has counted what was drawn meanwhile");
        assertEquals(601_000, counted(6_000, 100, 601_000));
    }

    @Test
    void drawThatCannotBeRightIsLeftOut() {
        energy(0, 100);
        assertEquals(0, metered(1_000, 4_000, DeviceReading.NO_COUNTER).watts(), "10 times the limit");
        assertEquals(0, metered(1_000, 4_000, DeviceReading.NO_COUNTER).energyMillijoules());
        assertEquals(0, metered(1_500, Double.NaN, DeviceReading.NO_COUNTER).watts());
        assertEquals(200_000, energy(2_000, 100), "as if it had not been read");
    }

    @Test
    void absentDrawIsNoDraw() {
        assertEquals(0, energy(0, 0));
        assertEquals(0, energy(10_000, 100), "nothing is known of the time before");
        assertEquals(100_000, energy(11_000, 100));
        assertEquals(100_000, energy(12_000, 0));
        assertEquals(300_000, energy(13_000, 100));
    }

    @Test
    void drawThatStandsWhileTheCounterSaysOtherwiseIsLeftOut() {
        counted(0, 50, 0);
        for (long ms = 2_000; ms < MeteredDevice.STUCK_MS; ms += 2_000) {
            assertEquals(50, metered(ms, 50, 300 * ms).watts(), "it may only be steady");
        }
        assertEquals(
                0,
                metered(MeteredDevice.STUCK_MS, 50, 300 * MeteredDevice.STUCK_MS)
                        .watts());
        assertEquals(300, metered(62_000, 300, 300 * 62_000).watts());
        assertEquals(300 * 62_000, metered(62_000, 300, 300 * 62_000).energyMillijoules());
    }

    @Test
    void steadyDrawThatTheCounterConfirmsIsKept() {
        for (long ms = 0; ms < 3 * MeteredDevice.STUCK_MS; ms += 2_000) {
            assertEquals(50, metered(ms, 50, 50 * ms).watts());
        }
    }

    private long energy(long ms, double watts) {
        return metered(ms, watts, DeviceReading.NO_COUNTER).energyMillijoules();
    }

    private long counted(long ms, double watts, long counter) {
        return metered(ms, watts, counter).energyMillijoules();
    }

    private DeviceReading metered(long ms, double watts, long counter) {
        return meter.metered("A", reading(watts).withEnergy(counter), ms);
    }

    private static DeviceReading reading(double watts) {
        return new DeviceReading(false, watts, 400, 0, 0, 0, DeviceReading.NO_COUNTER);
    }
}
