// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.Arrays;

/**
 * What a round takes.
 *
 * @param medianMs half of the rounds take no longer
 * @param p99Ms all but one in a hundred take no longer
 * @param rounds that counted
 */
record RoundCost(double medianMs, double p99Ms, int rounds) {
    private static final double MS = 1e6;

    static RoundCost of(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new RoundCost(at(sorted, .5), at(sorted, .99), sorted.length);
    }

    /** The least that is not exceeded by this share of them. */
    private static double at(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1] / MS;
    }
}
