// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

/**
 * What the policy is tuned by.
 *
 * @param epsilon step of the grid of workers to servers: a size is found whose time is within this part of the best
 * @param trimDelta part of its worth that a job may lose to take less
 * @param guesses items that the knapsack guesses
 * @param steps the most that the choice of jobs does in a round, about as many as nanoseconds; then it is the best so far
 * @param capacityFactor part of what there is that is given out by size; the rest is for what does not go into nodes evenly
 * @param sticky what a job is worth more because it runs, as a part of its worth
 * @param maxWaitSeconds after which a job that nothing is lost with any more finds its place before all others, s
 * @param backfill whether those that are not admitted take what the others leave
 * @param intervalMs between two decisions at most, ms
 */
public record SmdRules(
        double epsilon,
        double trimDelta,
        int guesses,
        long steps,
        double capacityFactor,
        double sticky,
        double maxWaitSeconds,
        boolean backfill,
        long intervalMs) {
    public static final SmdRules DEFAULT = new SmdRules(0.05, 0.05, 1, 30_000_000, 0.95, 0.1, 21_600, true, 30_000);

    /** @throws IllegalArgumentException where a number makes no sense; the message names it */
    public SmdRules {
        check("epsilon", epsilon > 0 && epsilon <= 1, epsilon, "above 0 and at most 1");
        check("trim-delta", trimDelta >= 0 && trimDelta < 1, trimDelta, "from 0 to below 1");
        check("guess-size", guesses >= 0 && guesses <= 3, guesses, "from 0 to 3");
        check("steps", steps > 0, steps, "above 0");
        check("capacity-factor", capacityFactor > 0 && capacityFactor <= 1, capacityFactor, "above 0 and at most 1");
        check("sticky", sticky >= 0 && sticky < 10, sticky, "from 0 to below 10");
        check("max-wait", maxWaitSeconds > 0, maxWaitSeconds, "above 0");
        check("interval", intervalMs > 0, intervalMs, "above 0");
    }

    private static void check(String what, boolean good, double value, String range) {
        if (!good) {
            throw new IllegalArgumentException("smd." + what + " is " + value + ", must be " + range);
        }
    }
}
