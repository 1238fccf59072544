// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DrawSeriesTest {
    @Test
    void meansOfSeconds() {
        DrawSeries series = new DrawSeries();
        series.add(500, 100, 1000);
        series.add(1000, 300, Double.POSITIVE_INFINITY);
        series.add(1000, 200, 800);
        assertArrayEquals(new double[] {0.5, 1.5, 2.25}, series.seconds());
        assertArrayEquals(new double[] {200, 250, 200}, series.watts(), 1e-9);
        assertArrayEquals(
                new double[] {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 800}, series.limitWatts(), 1e-9);
        assertEquals(2.5, series.spanSeconds());
    }

    /** However long a run is: at most 2,000 stretches, and all joules are in them. */
    @Test
    void keepsAllJoulesInFewStretches() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            DrawSeries series = new DrawSeries();
            double joules = 0;
            int steps = 1 + random.nextInt(3000);
            for (int i = 0; i < steps; i++) {
                long ms = 1 + (long) Math.exp(20 * random.nextDouble());
                double watts = random.nextInt(10_000);
                series.add(ms, watts, 5000);
                joules += watts * ms / 1000;
            }
            double[] middles = series.seconds();
            assertTrue(middles.length <= DrawSeries.MOST, "seed " + seed);
            double stretch = middles.length == 1 ? series.spanSeconds() : 2 * middles[0];
            double last = series.spanSeconds() - (middles.length - 1) * stretch;
            double[] watts = series.watts();
            double kept = Arrays.stream(watts, 0, watts.length - 1).sum() * stretch + watts[watts.length - 1] * last;
            assertEquals(joules, kept, 1e-9 * joules, "seed " + seed);
            assertTrue(
                    Arrays.stream(series.limitWatts()).allMatch(limit -> Math.abs(limit - 5000) < 1e-6),
                    "seed " + seed);
        }
    }
}
