// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * All differences and errors are in 64ths, which are exact in binary. Drifts from a quarter on count: the allowance is an
 * eighth, which is 8/64, and two errors of the profile.
 */
class DriftDetectorTest {
    private static final double UNIT = 1 / 64.0;

    private final DriftDetector drift = new DriftDetector(1 / 4.0);

    private void add(int times, double difference, double error, double referenceError) {
        for (int i = 0; i < times; i++) {
            drift.add(difference, error, referenceError);
        }
    }

    /** 12/64 are (12 - 8 - 2) = 2 standard errors more than the allowance: five windows are the ten that decide. */
    @Test
    void bothDirectionsAreFoundAtTheTenthStandardError() {
        for (double difference : new double[] {12 * UNIT, -12 * UNIT}) {
            add(4, difference, UNIT, UNIT);
            assertTrue(drift.isSuspicious());
            assertFalse(drift.hasFound());
            add(1, difference, UNIT, UNIT);
            assertTrue(drift.hasFound());
            drift.restart();
            assertFalse(drift.isSuspicious());
        }
    }

    @Test
    void whatTheAllowanceCoversIsNeverSuspicious() {
        add(1000, 10 * UNIT, UNIT, UNIT);
        add(1000, -10 * UNIT, UNIT, UNIT);
        assertFalse(drift.isSuspicious());
    }

    /** It stands still for a window: 54 standard errors, of which 3 count, and 3 are taken off by the next. */
    @Test
    void aPauseIsNoDrift() {
        for (int i = 0; i < 100; i++) {
            add(1, -1, UNIT, UNIT);
            assertTrue(drift.isSuspicious());
            add(1, 0, UNIT, UNIT);
            assertFalse(drift.isSuspicious());
        }
        add(3, -1, UNIT, UNIT);
        assertFalse(drift.hasFound(), "9");
        add(1, -1, UNIT, UNIT);
        assertTrue(drift.hasFound());
    }

    /** With an error of 32/64 the allowance is half of it, 16/64: a drift of 32/64 is half an error, for 20 windows. */
    @Test
    void noiseMakesItWaitLonger() {
        add(1000, 16 * UNIT, 32 * UNIT, 0);
        assertFalse(drift.isSuspicious());
        add(19, 32 * UNIT, 32 * UNIT, 0);
        assertFalse(drift.hasFound());
        add(1, 32 * UNIT, 32 * UNIT, 0);
        assertTrue(drift.hasFound());
    }

    /** One that is said to have no error has one of 0.005: 0.1325 are 1.5 of them more than 0.125, for 7 windows. */
    @Test
    void noMeasurementIsExact() {
        add(6, 0.1325, 0, 0);
        assertFalse(drift.hasFound(), "9");
        add(1, 0.1325, 0, 0);
        assertTrue(drift.hasFound());
    }

    /** However long it drifted: 10 are kept, of which each window in which it does as its profile says takes 3. */
    @Test
    void whatIsOverIsForgotten() {
        add(1000, 1, UNIT, UNIT);
        assertTrue(drift.hasFound());
        add(1, 0, UNIT, UNIT);
        assertFalse(drift.hasFound());
        add(2, 0, UNIT, UNIT);
        assertTrue(drift.isSuspicious(), "1");
        add(1, 0, UNIT, UNIT);
        assertFalse(drift.isSuspicious());
    }
}
