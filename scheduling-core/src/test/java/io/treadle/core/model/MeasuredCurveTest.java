// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MeasuredCurveTest {
    @Test
    void nothingMeasuredGivesNoMatrix() {
        assertEquals(Optional.empty(), MeasuredCurve.fit(Map.of()));
        assertEquals(Optional.empty(), MeasuredCurve.fit(Map.of(1L, 0.0, 2L, Double.NaN)));
    }

    @Test
    void noiseOnAPlateauIsNoDemand() {
        SensitivityMatrix matrix = MeasuredCurve.fit(Map.of(1L, 98.0, 2L, 101.0, 4L, 99.0, 8L, 100.0))
                .orElseThrow();
        assertEquals(1, matrix.demand(0).vcores());
    }

    @Test
    void saturatingJobDemandsTheKnee() {
        SensitivityMatrix matrix = MeasuredCurve.fit(Map.of(1L, 25.0, 2L, 50.0, 4L, 100.0, 6L, 103.0, 8L, 102.0))
                .orElseThrow();
        assertEquals(4, matrix.demand(0).vcores());
        // Halfway between 50 and the plateau of (103 + 102) ÷ 2.
        assertEquals(76.25, matrix.at(3, 0), 1e-9);
    }

    @Test
    void speedThatStillRisesIsTakenToRiseOn() {
        SensitivityMatrix matrix =
                MeasuredCurve.fit(Map.of(1L, 10.0, 2L, 20.0, 4L, 40.0)).orElseThrow();
        assertEquals(8, matrix.demand(0).vcores());
        assertEquals(80, matrix.at(8, 0), 1e-9);
    }

    /** Known answer of pool adjacent violators: 1, (6 + 4) / 2 twice, 10. */
    @Test
    void fallingSpeedsArePooled() {
        SensitivityMatrix matrix =
                MeasuredCurve.fit(Map.of(1L, 1.0, 2L, 6.0, 3L, 4.0, 4L, 10.0)).orElseThrow();
        assertEquals(5, matrix.at(2, 0), 1e-9);
        assertEquals(5, matrix.at(3, 0), 1e-9);
    }
}
