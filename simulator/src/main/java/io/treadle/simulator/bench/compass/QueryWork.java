// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

/**
 * Queries that come.
 *
 * @param workers that they come to
 * @param perSecond how many
 * @param requests of which the latencies are, beside those before them that warm the workers up
 */
record QueryWork(int workers, double perSecond, int requests) {
    /** So many of the first are left out of all latencies. */
    static final int WARMUP = 100;
}
