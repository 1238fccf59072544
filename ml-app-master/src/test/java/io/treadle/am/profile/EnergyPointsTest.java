// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnergyPointsTest {
    private final EnergyPoints points = new EnergyPoints();

    private static EnergyPoint point(double capWatts, double samplesPerSecond) {
        return new EnergyPoint(2, 1, 64, capWatts, samplesPerSecond, 300, 5, 0.02, 1);
    }

    private EnergyPoint only() {
        assertEquals(1, points.list().size());
        return points.list().get(0);
    }

    @Test
    void eachConfigurationIsThereOnce() {
        assertTrue(points.add(point(400, 100)));
        assertTrue(points.add(point(240, 90)));
        assertTrue(points.add(point(399, 102)), "measured twice as often");
        assertFalse(points.add(point(400, 101)));
        assertEquals(2, points.list().size());
        assertEquals(2, points.capsAt(2, 64).length);
        assertEquals(0, points.capsAt(4, 64).length);
        assertEquals(0, points.capsAt(2, 32).length);
        assertEquals(101, points.list().get(0).samplesPerSecond(), 1e-9, "the mean of three");
        assertEquals(15, points.list().get(0).seconds());
    }

    /** After many measurements each new one moves the point by 1 - 2^(-1/50): of a step half is left after 50. */
    @Test
    void whatIsFiftyMeasurementsOldCountsForHalf() {
        for (int i = 0; i < 1000; i++) {
            points.add(point(400, 100));
        }
        for (int i = 0; i < 50; i++) {
            points.add(point(400, 108));
        }
        assertEquals(104, only().samplesPerSecond(), 0.01);
        assertEquals(1050, only().count());
        assertTrue(only().error() >= 0.005);
    }

    @Test
    void aPointIsReplacedWhenItIsContradictedThreeTimesInARow() {
        points.add(point(400, 100));
        points.add(point(400, 120));
        points.add(point(400, 120));
        assertEquals(100, only().samplesPerSecond());
        points.add(point(400, 104));
        points.add(point(400, 121));
        points.add(point(400, 121));
        assertEquals(102, only().samplesPerSecond(), 1e-9, "not in a row");
        assertTrue(points.add(point(400, 122)));
        assertEquals(point(400, 122), only());
    }

    @Test
    void thereAreNoMoreThanARecordHolds() {
        for (int i = 1; i <= ProfileRecord.MOST_POINTS + 10; i++) {
            points.add(new EnergyPoint(i, 1, 64, 400, 10, 300, 5, 0.02, 1));
        }
        assertEquals(ProfileRecord.MOST_POINTS, points.list().size());
        EnergyPoints known = new EnergyPoints();
        known.putAll(List.of(point(400, 0), point(240, 90)));
        assertEquals(List.of(point(240, 90)), known.list(), "a speed that cannot be");
    }
}
