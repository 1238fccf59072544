// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/**
 * Tells a lasting difference between what a job does and its profile from noise: a two-sided CUSUM (Page, Biometrika
 * 1954) of the differences that exceed an allowance, in standard errors of a measurement.
 */
final class DriftDetector {
    /** Page's h: so many standard errors beyond the allowance, summed up, are no noise. */
    static final double DECISION_INTERVAL = 10;
    /** One window counts for no more: a pause of the job is no drift. */
    static final double MOST_OF_A_WINDOW = 3;
    /** The profile may itself be wrong by so many of its standard errors. */
    private static final double REFERENCE_ERRORS = 2;
    /** Page's k, in standard errors, where noise exceeds the drift that is looked for. */
    private static final double LEAST_ALLOWANCE = 0.5;

    private static final double LEAST_ERROR = 0.005;

    private final double smallestDrift;
    private double above;
    private double below;

    /** @param smallestDrift the smallest lasting relative difference that counts */
    DriftDetector(double smallestDrift) {
        this.smallestDrift = smallestDrift;
    }

    /**
     * @param difference of the measured speed from the profile's, relative to it
     * @param error relative standard error of the measured speed
     * @param referenceError relative standard error of the profile's
     */
    void add(double difference, double error, double referenceError) {
        double unit = Math.max(error, LEAST_ERROR);
        double allowance = Math.max(smallestDrift / 2, LEAST_ALLOWANCE * unit) + REFERENCE_ERRORS * referenceError;
        above = summed(above, (difference - allowance) / unit);
        below = summed(below, (-difference - allowance) / unit);
    }

    private static double summed(double sum, double excess) {
        double counted = Math.max(-MOST_OF_A_WINDOW, Math.min(MOST_OF_A_WINDOW, excess));
        return Math.max(0, Math.min(DECISION_INTERVAL, sum + counted));
    }

    /** Whether what was added last may be more than noise. */
    boolean isSuspicious() {
        return above > 0 || below > 0;
    }

    boolean hasFound() {
        return above >= DECISION_INTERVAL || below >= DECISION_INTERVAL;
    }

    void restart() {
        above = 0;
        below = 0;
    }
}
