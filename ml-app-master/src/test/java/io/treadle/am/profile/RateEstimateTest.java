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

    /** A container of a fortieth of a core: all that it does in 0.8 s it does in the first 20 ms. */
    @Test
    void whereBurstsFallCountsForLittle() {
        long seed = 20261122;
        Random random = new Random(seed);
        double squares = 0;
        double squaresOfEnds = 0;
        int trials = 300;
        for (int trial = 0; trial < trials; trial++) {
            SampleSeries series = new SampleSeries();
            double phase = random.nextDouble();
            for (int i = 1; i * 0.32 < 40; i++) {
                double work = i * 0.32 + phase;
                series.add(Math.floor(work / 0.8) * 0.8 + (work % 0.8) / 40, i * 4.0);
            }
            double from = 10 + random.nextDouble();
            SampleSeries window = new SampleSeries();
            double[] times = series.secondsBetween(from, from + 8);
            for (double time : times) {
                window.add(time, series.samplesAt(time));
            }
            double last = times[times.length - 1];
            double ends = (series.samplesAt(last) - series.samplesAt(times[0])) / (last - times[0]);
            double rate = RateEstimate.over(List.of(window), 0).orElseThrow().samplesPerSecond();
            squares += Math.pow(rate / 12.5 - 1, 2) / trials;
            squaresOfEnds += Math.pow(ends / 12.5 - 1, 2) / trials;
        }
        String found = "seed " + seed + ": " + Math.sqrt(squares) + ", from end to end " + Math.sqrt(squaresOfEnds);
        assertTrue(squares < 0.25 * squaresOfEnds, found);
    }

    /** A worker that reports every 10 s and one that reports every second, later and not as long. */
    @Test
    void workersWhoseReportsDoNotMeet() {
        SampleSeries slow = steady(10, 100, 60);
        SampleSeries quick = new SampleSeries();
        for (int i = 1; i <= 59; i++) {
            quick.add(i + 0.5, 7 * i);
        }
        RateEstimate both = RateEstimate.over(List.of(slow, quick), 11).orElseThrow();
        assertEquals(17, both.samplesPerSecond(), 1e-9);
        // From 20 to 50 s: both have reported before and after.
        assertEquals(30, both.seconds(), 1e-9);
        assertEquals(3, both.reports());
    }

    @Test
    void aSlopeThroughARandomWalkVariesAsIsSaid() {
        long seed = 20261122;
        Random random = new Random(seed);
        int steps = 12;
        int trials = 20_000;
        double squares = 0;
        double stated = 0;
        for (int trial = 0; trial < trials; trial++) {
            SampleSeries series = new SampleSeries();
            double samples = 1000;
            for (int i = 0; i <= steps; i++) {
                series.add(i, samples);
                samples += 100 + random.nextGaussian();
            }
            RateEstimate estimate = RateEstimate.over(List.of(series), 0).orElseThrow();
            squares += Math.pow(estimate.samplesPerSecond() - 100, 2) / trials;
            stated += Math.pow(estimate.relativeError() * 100, 2) / trials;
        }
        assertEquals(1, stated / squares, 0.04, "seed " + seed);
        // From the first to the last reading it would be 1 / steps. Of 20000 trials the variance is good to 1 %.
        assertEquals(1, RateEstimate.slopeVariance(steps) / steps / squares, 0.04, "seed " + seed);
    }

    @Test
    void readingsThatGoBackAreLeftOut() {
        SampleSeries series = steady(1, 5, 10);
        series.add(9, 1000);
        series.add(11, 3);
        assertEquals(10, series.size());
    }
}
