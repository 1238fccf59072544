// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

/** How much longer a job took than it would have alone. */
public final class Slowdown {
    /** The shortest time that a slowdown is taken over, s: Feitelson's bound. */
    public static final double LEAST_SECONDS = 10;

    private Slowdown() {}

    /**
     * Completion time over the run time at its share, both of at least {@link #LEAST_SECONDS}, so that jobs of a second
     * do not outweigh all others.
     */
    public static double of(double jctSeconds, double runSeconds) {
        return Math.max(1, jctSeconds / Math.max(LEAST_SECONDS, runSeconds));
    }
}
