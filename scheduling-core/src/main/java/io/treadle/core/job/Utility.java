// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import java.util.OptionalDouble;

/**
 * What it is worth that a job ends, by how long after its submission: {@code weight ÷ (1 + exp(decay · (hours −
 * target)))}. So it is worth {@code weight} long before the target, half of it at the target, and nothing long after.
 *
 * @param weight the most that it can be worth, above 0
 * @param decayPerHour how suddenly that falls at the target, 0 or more; 0 for a job that is worth half its weight whenever
 *     it ends
 * @param targetHours after how many hours half of the weight is left; empty where nobody says
 */
public record Utility(double weight, double decayPerHour, OptionalDouble targetHours) {
    /** Of a job of which nobody says what it is worth. */
    public static final Utility UNKNOWN = new Utility(1, 0.1, OptionalDouble.empty());

    /** Beyond this the exponential is 0 or endless for all that matters. */
    private static final double MOST_EXPONENT = 700;

    private static final double SECONDS_AN_HOUR = 3600;

    /** @throws IllegalArgumentException where a number is not finite, the weight not above 0 or the decay below 0 */
    public Utility {
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException("utility's weight is " + weight + ", must be a number above 0");
        }
        if (!(decayPerHour >= 0) || Double.isInfinite(decayPerHour)) {
            throw new IllegalArgumentException(
                    "utility's decay per hour is " + decayPerHour + ", must be a number of 0 or more");
        }
        if (targetHours.isPresent()
                && (!(targetHours.getAsDouble() >= 0) || Double.isInfinite(targetHours.getAsDouble()))) {
            throw new IllegalArgumentException("utility's target is " + targetHours.getAsDouble()
                    + " hours after submission, must be a number of 0 or more");
        }
    }

    /** The same where half of the weight is left after so many hours. */
    public Utility withTarget(double hours) {
        return new Utility(weight, decayPerHour, OptionalDouble.of(hours));
    }

    /**
     * What an end is worth.
     *
     * @param seconds after the submission, s
     * @throws IllegalStateException where no target is known
     */
    public double at(double seconds) {
        double target = targetHours.orElseThrow(() -> new IllegalStateException("no target is known"));
        double exponent = decayPerHour * (seconds / SECONDS_AN_HOUR - target);
        return weight / (1 + Math.exp(Math.max(-MOST_EXPONENT, Math.min(MOST_EXPONENT, exponent))));
    }
}
