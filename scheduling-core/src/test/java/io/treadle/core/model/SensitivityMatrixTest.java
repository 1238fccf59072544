// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SensitivityMatrixTest {
    private static final SensitivityMatrix READER = new SensitivityMatrix(
            new long[] {2, 4}, new long[] {100, 300}, new double[][] {{10, 20}, {20, 40}}, new double[][] {
                {50, 30}, {80, 0}
            });

    @Test
    void speedsBetweenPointsLieOnStraightLines() {
        // Halfway in CPU: (10 + 20) / 2 and (20 + 40) / 2; halfway between those in memory.
        assertEquals(22.5, READER.at(3, 200));
        // Below the first point in proportion to CPU, and flat in memory.
        assertEquals(5, READER.at(1, 50));
        assertEquals(40, READER.at(9, 999));
    }

    @Test
    void aTaskThatMayReadLessThanItNeedsIsSlowerInProportion() {
        assertEquals(80, READER.storageMBps(4, 100));
        assertEquals(20, READER.at(4, 100, 80));
        assertEquals(20, READER.at(4, 100, 500));
        assertEquals(20 * 60 / 80.0, READER.at(4, 100, 60));
        assertEquals(0, READER.at(4, 100, 0));
        // With its data in memory it reads nothing.
        assertEquals(40, READER.at(4, 300, 0));
    }

    @Test
    void theDemandIsTheSmallestPointThatIsAsFast() {
        assertEquals(new SensitivityMatrix.Demand(4, 300, 0), READER.demand(0));
        assertEquals(new SensitivityMatrix.Demand(2, 300, 30), READER.demand(.5));
        assertTrue(READER.readsStorage());
        assertFalse(
                SensitivityMatrix.overVcores(new long[] {1}, new double[] {1}).readsStorage());
    }

    @Test
    void whatCannotBeIsRefusedByName() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> new SensitivityMatrix(
                        new long[] {1}, new long[] {0}, new double[][] {{1}}, new double[][] {{Double.NaN}}));
        assertTrue(e.toString().contains("storageMBps has the value NaN, must be 0 or more"), e.toString());
    }
}
