// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseEstimateTest {
    private static final ProfileSettings SETTINGS =
            new ProfileSettings(true, 2, 30, 600, 2, 5, 0.02, 1, 100, 0.15, 600);
    private static final int SEEDS = 500;

    /** Steps of 10 samples and 0.2 s at one vcore, of 0.2 s / v at v vcores. */
    private static final class Steps {
        private final Random random;
        private final double noise;
        private final SampleSeries series = new SampleSeries();
        private double samples;
        private double next;

        Steps(long seed, double noise) {
            random = new Random(seed);
            this.noise = noise;
        }

        /** Measures at the size until the meter is content. */
        RateEstimate measure(SizeMeter meter, long vcores, double from) {
            next = Math.max(next, from);
            double now = from;
            while (true) {
                now += 0.25;
                while (next <= now) {
                    samples += 10;
                    series.add(next, samples);
                    next += 0.2 / vcores * Math.max(0.05, 1 + noise * random.nextGaussian());
                }
                Observation seen = new Observation(
                        now, true, 1, new Conditions(vcores, 1024, 0, false), vcores, true, true, List.of(series));
                Optional<RateEstimate> estimate = meter.observe(seen, SETTINGS.stepMinSeconds());
                if (estimate.isPresent()) {
                    return estimate.get();
                }
            }
        }
    }

    /**
     * Of normal errors 68.3 % lie within one standard error and 95.4 % within two. Of 500 seeds the share itself has a
     * standard error of 2.1 and 0.9 points: three of them are allowed for.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.03, 0.1, 0.3})
    void statedErrorCoversTheTruthAsOftenAsAStandardErrorShould(double noise) {
        int[] within = new int[3];
        for (long seed = 1; seed <= SEEDS; seed++) {
            Steps steps = new Steps(seed, noise);
            SizeMeter meter = new SizeMeter(SETTINGS);
            double from = 0;
            RateEstimate last = steps.measure(meter, 1, from);
            for (long vcores : new long[] {2, 3, 4}) {
                from += 100;
                last = steps.measure(meter, vcores, from);
            }
            double error = Math.abs(last.samplesPerSecond() / 200 - 1);
            within[1] += error <= last.relativeError() ? 1 : 0;
            within[2] += error <= 2 * last.relativeError() ? 1 : 0;
        }
        String found = "noise " + noise + ", seeds 1 to " + SEEDS + ": " + within[1] + " within 1, " + within[2]
                + " within 2 standard errors";
        assertTrue(within[1] >= (0.683 - 3 * 0.021) * SEEDS, found);
        assertTrue(within[2] >= (0.954 - 3 * 0.009) * SEEDS, found);
        // Far more than that would be an error stated too large, and steps longer than they need be.
        assertTrue(within[1] <= 0.9 * SEEDS, found);
    }

    @Test
    void quietJobsTakeShortStepsAndNoisyOnesLonger() {
        double[] seconds = new double[3];
        double[] noises = {0.02, 0.15, 0.4};
        for (int i = 0; i < noises.length; i++) {
            for (long seed = 1; seed <= 50; seed++) {
                Steps steps = new Steps(seed, noises[i]);
                SizeMeter meter = new SizeMeter(SETTINGS);
                steps.measure(meter, 1, 0);
                seconds[i] += steps.measure(meter, 2, 100).seconds() / 50;
            }
        }
        // 10 steps a second at two vcores. A report of relative deviation c needs (c / 0.02)² of them: 1 for 0.02, so
        // the shortest step of 2 s; 56 or 5.6 s for 0.15; 400 or 40 s for 0.4, more than the longest step of 30 s.
        assertEquals(2, seconds[0], 0.5);
        assertEquals(5.6, seconds[1], 2);
        assertEquals(30, seconds[2], 5);
    }

    @Test
    void noiseIsLearntOnceAndCarriedOver() {
        for (long seed = 1; seed <= 50; seed++) {
            NoiseEstimate noise = new NoiseEstimate();
            Steps steps = new Steps(seed, 0.1);
            SizeMeter meter = new SizeMeter(SETTINGS);
            for (int i = 0; i < 6; i++) {
                noise.add(measuredAlone(steps.measure(meter, 1 + i % 3, 100 * i), steps));
            }
            // A window that cannot tell its own error: one report, so the error is that of one report.
            double known = noise.errorOf(new RateEstimate(50, Double.POSITIVE_INFINITY, 1, 1, 0));
            assertEquals(0.1, known, 0.04, "seed " + seed);
        }
    }

    /** The window's own error, before it is pooled. */
    private static RateEstimate measuredAlone(RateEstimate pooled, Steps steps) {
        return RateEstimate.over(List.of(steps.series), steps.series.lastSeconds() - pooled.seconds())
                .orElseThrow();
    }

    @Test
    void noiseThatGrowsIsNotMistakenForThePast() {
        NoiseEstimate noise = new NoiseEstimate();
        for (int i = 0; i < 20; i++) {
            noise.add(new RateEstimate(100, 0.01, 5, 25, 7));
        }
        RateEstimate wild = new RateEstimate(100, 0.1, 5, 25, 7);
        // 7 degrees of freedom of its own: Student's t has the variance 7/5.
        assertEquals(0.1 * Math.sqrt(7.0 / 5), noise.errorOf(wild), 1e-12);
        noise.add(wild);
        // 14 degrees of freedom, half of them quiet: √((0.1² + 0.01²) / 2 · 14/12)
        assertEquals(
                Math.sqrt((0.01 + 0.0001) / 2 * 14 / 12), noise.errorOf(new RateEstimate(100, 0.01, 3, 25, 7)), 1e-12);
    }

    @Test
    void aSizeThatIsQuietIsNotTakenForAsNoisyAsTheLast() {
        NoiseEstimate noise = new NoiseEstimate();
        noise.add(new RateEstimate(100, 0.1, 8, 40, 7));
        noise.add(new RateEstimate(100, 0.1, 8, 40, 7));
        RateEstimate quiet = new RateEstimate(200, 0.001, 4, 40, 7);
        assertTrue(noise.isWithin(0.02, quiet));
        // In two seconds it may be chance.
        assertFalse(noise.isWithin(0.02, new RateEstimate(200, 0.001, 2, 40, 7)));
        assertEquals(0.001 * Math.sqrt(7.0 / 5), noise.errorOf(quiet), 1e-12);
    }

    @Test
    void aPointThatIsMeasuredAgainWeighsBothByTheirErrors() {
        ProfilePoints points = new ProfilePoints();
        points.add(new Conditions(4, 1024, 0, false), new RateEstimate(100, 0.02, 10, 50, 7));
        points.add(new Conditions(4, 1024, 0, false), new RateEstimate(110, 0.04, 5, 25, 7));
        ProfileRecord.Point both = points.list().get(0);
        // Weights 1/0.02² = 2500 and 1/0.04² = 625: (2500·100 + 625·110) / 3125 = 102, error 1/√3125
        assertEquals(102, both.samplesPerSecond(), 1e-9);
        assertEquals(1 / Math.sqrt(3125), both.error(), 1e-12);
        assertEquals(2, both.count());
        assertEquals(15, both.seconds(), 1e-12);
    }
}
