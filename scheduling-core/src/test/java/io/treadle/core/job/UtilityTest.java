// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class UtilityTest {
    /** 10 ÷ (1 + exp(0.05 · (105.33 − 110))) with time in seconds. */
    @Test
    void aKnownAnswer() {
        Utility utility = new Utility(10, .05 * 3600, OptionalDouble.of(110 / 3600.0));
        assertEquals(5.5807010587395345, utility.at(105.33333333333333), 1e-9);
    }

    @Test
    void halfOfItIsLeftAtTheTarget() {
        assertEquals(4, new Utility(8, 3, OptionalDouble.of(2)).at(7200), 1e-12);
    }

    @Test
    void withoutDecayItIsAlwaysHalf() {
        Utility utility = new Utility(6, 0, OptionalDouble.of(1));
        assertEquals(3, utility.at(0));
        assertEquals(3, utility.at(1e12));
    }

    @Test
    void longAgoIsNothingAndNoError() {
        assertEquals(0, new Utility(1, 6, OptionalDouble.of(1)).at(1e15), 1e-300);
    }

    @Test
    void badNumbersAreNamed() {
        assertEquals(
                "utility's weight is -1.0, must be a number above 0",
                assertThrows(IllegalArgumentException.class, () -> new Utility(-1, 0, OptionalDouble.empty()))
                        .getMessage());
        assertEquals(
                "utility's decay per hour is NaN, must be a number of 0 or more",
                assertThrows(IllegalArgumentException.class, () -> new Utility(1, Double.NaN, OptionalDouble.empty()))
                        .getMessage());
        assertEquals(
                "utility's target is -2.0 hours after submission, must be a number of 0 or more",
                assertThrows(IllegalArgumentException.class, () -> new Utility(1, 0, OptionalDouble.of(-2)))
                        .getMessage());
    }
}
