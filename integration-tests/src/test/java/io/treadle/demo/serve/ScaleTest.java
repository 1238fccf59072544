// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void linearBeginsAtZero() {
        Scale scale = Scale.linear(12, 200, 0);
        assertEquals(200, scale.at(0));
        assertEquals(100, scale.at(6));
        assertEquals(0, scale.at(12));
        assertEquals(List.of(0.0, 5.0, 10.0), scale.ticks());
    }

    @Test
    void logarithmicLiesBetweenRoundFigures() {
        assertEquals(List.of(2.0, 5.0, 10.0, 20.0, 50.0), Scale.log(3, 40, 0, 1).ticks());
        assertEquals(List.of(0.1, 0.2), Scale.log(0.15, 0.2, 0, 1).ticks());
        assertEquals(List.of(10.0, 20.0), Scale.log(10, 10, 0, 1).ticks());
        Scale scale = Scale.log(10, 1000, 0, 300);
        assertEquals(150, scale.at(100), 1e-9);
        assertEquals(0, scale.at(1));
        assertEquals(300, scale.at(5000));
    }
}
