// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import io.treadle.core.solve.NonNegativeLeastSquares;
import java.util.List;

/**
 * Time of an iteration on one GPU over its power cap, for one batch size: a part that no cap slows, and one that goes with a
 * power of the cap.
 *
 * @param fixedSeconds what no cap slows, s
 * @param cappedSeconds the rest at a cap of 100 W, s
 * @param exponent by which the rest falls as the cap rises
 */
public record CapTime(double fixedSeconds, double cappedSeconds, double exponent) {
    private static final double REFERENCE_WATTS = 100;
    /** From so many caps on the exponent is found by the job's own measurements; fewer say too little of it. */
    private static final int CAPS_FOR_EXPONENT = 4;

    private static final double LEAST_EXPONENT = 0.5;
    private static final double MOST_EXPONENT = 6;
    private static final double STEP = 0.5;
    private static final double RIDGE = 1e-9;

    /**
     * The curve with the least relative errors.
     *
     * @param samples of one batch size; of one cap they say nothing of what caps cost, and the time is the same at all
     * @param usualExponent that of the GPU model, for where the samples cannot tell
     * @throws IllegalArgumentException where there are no samples
     */
    public static CapTime fit(List<GpuSample> samples, double usualExponent) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no measurements to fit a time to");
        }
        long caps = samples.stream().mapToDouble(GpuSample::capWatts).distinct().count();
        if (caps == 1) {
            double seconds =
                    samples.stream().mapToDouble(GpuSample::seconds).average().orElseThrow();
            return new CapTime(seconds, 0, usualExponent);
        }
        if (caps < CAPS_FOR_EXPONENT) {
            return withExponent(samples, usualExponent);
        }
        CapTime best = withExponent(samples, LEAST_EXPONENT);
        for (double exponent = LEAST_EXPONENT + STEP; exponent <= MOST_EXPONENT; exponent += STEP) {
            CapTime next = withExponent(samples, exponent);
            best = next.errorOver(samples) < best.errorOver(samples) ? next : best;
        }
        return best;
    }

    private static CapTime withExponent(List<GpuSample> samples, double exponent) {
        double[][] rows = samples.stream()
                .map(s -> new double[] {1 / s.seconds(), power(s.capWatts(), exponent) / s.seconds()})
                .toArray(double[][]::new);
        double[] ones = samples.stream().mapToDouble(s -> 1).toArray();
        double[] parts = NonNegativeLeastSquares.solve(rows, ones, RIDGE);
        return new CapTime(parts[0], parts[1], exponent);
    }

    private double errorOver(List<GpuSample> samples) {
        return samples.stream()
                .mapToDouble(s -> Math.abs(seconds(s.capWatts()) / s.seconds() - 1))
                .sum();
    }

    private static double power(double capWatts, double exponent) {
        return Math.pow(REFERENCE_WATTS / capWatts, exponent);
    }

    /** Time of an iteration at the cap in W, s. */
    public double seconds(double capWatts) {
        return fixedSeconds + cappedSeconds * power(capWatts, exponent);
    }

    /** Which part of the time at the cap goes with it: 0 where no cap matters. */
    public double sensitivity(double capWatts) {
        return cappedSeconds * power(capWatts, exponent) / seconds(capWatts);
    }
}
