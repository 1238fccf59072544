// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/**
 * How noisy a job's progress is, learnt over all the sizes that it has been measured at: the relative variance of the
 * speed between one report and the next, pooled over the windows by their degrees of freedom. A window alone has few and
 * tells its own error badly: one that happens to look even would end early and claim too much. Windows far back fade.
 */
final class NoiseEstimate {
    /** What is taken for one report's relative standard deviation before anything is measured, and what it weighs. */
    static final double PRIOR_DEVIATION = 0.15;

    private static final int PRIOR_DEGREES = 1;
    /** From so many on the noise counts as known. */
    private static final int KNOWN_DEGREES = 12;
    /** What was learnt before weighs no more than this, so that noise may change with time. */
    private static final int MOST_DEGREES = 40;
    /** So many standard deviations above what is known are no chance: one window in a thousand. */
    private static final double NOISIER = 3.1;
    /** Below it more are asked for: windows are looked at again and again, and one that looks quiet ends. */
    private static final double QUIETER = 3.6;
    /** In less time bursts may fall such that reports look even. */
    private static final double QUIET_SECONDS = 4;

    private double variance = PRIOR_DEVIATION * PRIOR_DEVIATION;
    private int degrees = PRIOR_DEGREES;

    /**
     * The relative standard error of the window's speed, by what is known of the noise and what the window shows: the
     * standard deviation of Student's t, which is wider where few degrees of freedom tell the variance.
     */
    double errorOf(RateEstimate window) {
        int known = hasChanged(window) ? window.degrees() : degrees + window.degrees();
        double ofOneReport = widened(pooled(window), known);
        return Math.sqrt(ofOneReport / window.reports());
    }

    /**
     * Whether the window's speed is known to the error. Where the noise is known the window's own counts only if it is
     * no chance that it is another: to end where it looks low would end at windows that look better than they are.
     */
    boolean isWithin(double error, RateEstimate window) {
        boolean isKnown = degrees >= KNOWN_DEGREES && !hasChanged(window);
        return isKnown ? widened(variance, degrees) <= error * error * window.reports() : errorOf(window) <= error;
    }

    void add(RateEstimate window) {
        boolean anew = hasChanged(window);
        variance = pooled(window);
        degrees = Math.min(MOST_DEGREES, anew ? window.degrees() : degrees + window.degrees());
    }

    private double pooled(RateEstimate window) {
        if (window.degrees() == 0) {
            return variance;
        }
        return hasChanged(window)
                ? own(window)
                : (degrees * variance + window.degrees() * own(window)) / (degrees + window.degrees());
    }

    /** Another size may be noisier, or quieter: where a GPU sets the pace there is next to no noise. */
    private boolean hasChanged(RateEstimate window) {
        if (window.degrees() == 0) {
            return false;
        }
        double ratio = own(window) / variance;
        return ratio > chance(window.degrees(), NOISIER)
                || (window.seconds() >= QUIET_SECONDS && ratio < chance(window.degrees(), -QUIETER));
    }

    /** Variance of a sample over the true one, at so many standard deviations (Wilson and Hilferty, PNAS 1931). */
    private static double chance(int degrees, double deviations) {
        double spread = 2.0 / (9 * degrees);
        return Math.pow(Math.max(0, 1 - spread + deviations * Math.sqrt(spread)), 3);
    }

    private static double own(RateEstimate window) {
        return window.relativeError() * window.relativeError() * window.reports();
    }

    private static double widened(double variance, int degrees) {
        int finite = Math.max(3, degrees);
        return variance * finite / (finite - 2);
    }
}
