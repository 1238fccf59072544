// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Means over seeds against figures worked out by hand. */
class SeedMeanTest {
    @Test
    void intervalIsStudents() {
        // Sample variance 10 / 4 = 2.5, standard error sqrt(2.5 / 5) = 0.70711; t of 4 degrees at 97.5 % is 2.77645.
        SeedMean mean = SeedMean.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0)).orElseThrow();
        assertEquals(3, mean.mean());
        assertEquals(1.96324, mean.halfWidth(), 1e-5);
    }

    @Test
    void twoSeedsSayLittle() {
        // Standard error |6 − 4| / 2 = 1; t of 1 degree at 97.5 % is 12.7062.
        assertEquals(12.7062, SeedMean.of(List.of(4.0, 6.0)).orElseThrow().halfWidth(), 1e-4);
    }

    @Test
    void oneSeedSaysNothingOfHowFarItMayBeOff() {
        assertEquals(new SeedMean(7, 0), SeedMean.of(List.of(7.0)).orElseThrow());
    }

    @Test
    void nothingWhereASeedHasNoValue() {
        assertTrue(SeedMean.of(Arrays.asList(1.0, null)).isEmpty());
        assertTrue(SeedMean.of(List.of()).isEmpty());
    }
}
