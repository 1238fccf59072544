// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.List;

/**
 * What is served, and how it is asked.
 *
 * @param policies one service after the other, in this order
 * @param perSecond queries, on average
 * @param warmUp queries before those that count
 * @param queries that count, the same under each policy
 */
public record ServePlan(
        ModelSizes sizes, List<String> policies, int workers, double perSecond, int warmUp, int queries, long seed) {
    /** As many as two cores answer in time where models stay where they are, but not where they come and go. */
    private static final double RATE = 15;

    private static final int WARM_UP_SECONDS = 5;
    private static final int SECONDS = 45;
    private static final int WORKERS = 3;

    public ServePlan {
        policies = List.copyOf(policies);
        if (policies.isEmpty() || queries < 1) {
            throw new IllegalArgumentException(
                    policies.size() + " policies and " + queries + " queries, must be 1 or more of both");
        }
    }

    public static ServePlan demo(long seed) {
        return new ServePlan(
                ModelSizes.DEMO,
                List.of("compass", "hash", "jit"),
                WORKERS,
                RATE,
                (int) (RATE * WARM_UP_SECONDS),
                (int) (RATE * SECONDS),
                seed);
    }
}
