// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterPowerTest {
    @Test
    void capsFromFourTenthsOfTheLimit() {
        assertArrayEquals(new double[] {150, 200, 250, 300, 350, 400}, ClusterPower.A100.caps());
        assertArrayEquals(new double[] {100, 125, 150, 175, 200, 225, 250}, ClusterPower.V100.caps());
        assertArrayEquals(
                new double[] {300, 350, 400, 450, 500, 550, 600, 650, 700},
                ClusterPower.of(600, 75, 700).caps());
        assertArrayEquals(
                new double[] {25, 50, 70}, ClusterPower.of(450, 10, 70).caps());
        assertArrayEquals(new double[] {20}, ClusterPower.of(450, 10, 20).caps());
        assertArrayEquals(
                new double[] {100, 220, 300},
                ClusterPower.of(450, 25, 300, OptionalDouble.of(100), OptionalDouble.of(120))
                        .caps());
    }

    @Test
    void namesAndNumbersAreTheSame() {
        assertEquals(ClusterPower.A100, PowerText.parse("a100"));
        assertEquals(ClusterPower.A100, PowerText.parse("450/55/400"));
        assertEquals(ClusterPower.V100, PowerText.parse("v100"));
        assertEquals(ClusterPower.V100, PowerText.parse(PowerText.of(ClusterPower.V100)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h900 | must be one of a100, v100, or watts of a node without its GPUs",
                "450/55 | such as 450/55/400",
                "-1/55/400 | such as 450/55/400",
                "450/401/400 | idleGpuWatts is 401, must be from 0 to 400 W, the GPUs' default limit",
                "450/55/0 | gpuWatts is 0, must be from 1 to 5000 W",
                "450/55/5001 | gpuWatts is 5001, must be from 1 to 5000 W",
                "5001/55/400 | nodeWatts is 5001, must be from 0 to 5000 W",
            })
    void refusesWhatNothingDraws(String text, String why) {
        String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> PowerText.parse(text))
                .getMessage());
        assertTrue(message.contains(why), message);
    }

    @Test
    void refusesCapsThatContradict() {
        String above = String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> ClusterPower.of(450, 55, 400, OptionalDouble.of(450), OptionalDouble.empty()))
                .getMessage());
        assertEquals("leastCapWatts is 450, must be from 1 to 400 W, the GPUs' default limit", above);
        String many = String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> ClusterPower.of(450, 55, 400, OptionalDouble.of(100), OptionalDouble.of(1)))
                .getMessage());
        assertEquals("capStepWatts is 1, must be such that there are at most 100 caps from 100 to 400 W", many);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"none", "share:0.7", "watts:20000", "window:240/24h", "total:500", "carbon:8000", "price:600"})
    void budgetsAsTheyWereWritten(String text) {
        assertEquals(text, EnergyBudget.parse(text).text());
    }
}
