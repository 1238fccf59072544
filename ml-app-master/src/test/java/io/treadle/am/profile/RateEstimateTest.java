// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RateEstimateTest {
    private static SampleSeries steady(double stepSeconds, double batch, double until) {
        SampleSeries series = new SampleSeries();
        for (int i = 1; i * stepSeconds <= until; i++) {
            series.add(i * stepSeconds, i * batch);
        }
        return series;
    }

    @Test
    void sumsOverWorkers() {
        RateEstimate estimate = RateEstimate.over(List.of(steady(0.5, 8, 20), steady(1, 4, 20)), 2)
                .orElseThrow();
        assertEquals(16 + 4, estimate.samplesPerSecond(), 1e-9);
        assertTrue(estimate.relativeError() < 1e-9);
        assertEquals(18, estimate.seconds(), 1e-9);
    }

    @Test
    void workBegunBeforeTheWindowDoesNotCount() {
        SampleSeries series = new SampleSeries();
        series.add(0, 0);
        series.add(10, 1000); // fast
        series.add(14, 1010); // slow from here
        series.add(18, 1020);
        assertEquals(2.5, RateEstimate.over(List.of(series), 11).orElseThrow().samplesPerSecond(), 1e-9);
    }

    @Test
    void oneReadingIsNotEnough() {
        assertTrue(RateEstimate.over(List.of(steady(1, 1, 10), new SampleSeries()), 0)
                .isEmpty());
        assertTrue(RateEstimate.over(List.of(steady(1, 1, 10)), 9.5).isEmpty());
        assertTrue(RateEstimate.over(List.of(), 0).isEmpty());
    }

    @Test
    void errorCoversTheTruth() {
        long seed = 4711;
        Random random = new Random(seed);
        int covered = 0;
        for (int trial = 0; trial < 300; trial++) {
            SampleSeries series = new SampleSeries();
            double now = 0;
            for (int i = 1; now < 30; i++) {
                now += 0.5 * (1 + 0.3 * random.nextGaussian());
                series.add(now, i * 10.0);
            }
            RateEstimate estimate = RateEstimate.over(List.of(series), 5).orElseThrow();
            if (Math.abs(estimate.samplesPerSecond() - 20) <= 3 * estimate.relativeError() * 20) {
                covered++;
            }
        }
        assertTrue(covered > 270, "seed " + seed + ": covered " + covered + " of 300");
    }

    @Test
    void readingsThatGoBackAreLeftOut() {
        SampleSeries series = steady(1, 5, 10);
        series.add(9, 1000);
        series.add(11, 3);
        assertEquals(10, series.size());
    }
}
