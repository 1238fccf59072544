// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FoldingSeriesTest {
    @Test
    void sharesTimeAmongTheStretchesThatItLiesIn() {
        FoldingSeries series = new FoldingSeries();
        series.addTime(50, 230);
        series.add(310, 7);
        assertEquals(125, series.lengthMs());
        assertArrayEquals(new double[] {75, 105, 7}, series.sums());
    }

    @Test
    void makesStretchesLongerWhereTimeGoesOn() {
        FoldingSeries series = new FoldingSeries();
        series.addTime(0, 300);
        series.add(32_100, 5);
        assertEquals(250, series.lengthMs());
        assertEquals(129, series.sums().length);
        assertArrayEquals(new double[] {250, 50}, Arrays.copyOf(series.sums(), 2));
        assertEquals(5, series.sums()[128]);
        series.addTime(1_000_000, 1_000_010);
        assertEquals(315, Arrays.stream(series.sums()).sum(), 1e-9);
    }
}
