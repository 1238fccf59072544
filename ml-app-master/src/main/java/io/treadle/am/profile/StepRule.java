// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/**
 * Which size to measure next: Synergy's optimistic profiling (OSDI 2022; its {@code offline_profiler.py}) with whole
 * cores. While less CPU costs little the next size is half, else a small step less, so that a job that does not need CPU
 * is done after a few sizes.
 */
final class StepRule {
    /** Speeds closer than this are alike. */
    static final double ALIKE = 0.10;
    /** An increase that brings less is the last one. */
    static final double WORTH_MORE = 0.05;

    private StepRule() {}

    /**
     * The size below {@code current}. The first step is half, as Synergy measures its first size twice and so finds no
     * difference.
     *
     * @param least the smallest that may come out
     * @param start the size that stepping began at
     * @param above speed at the size before; 0 before the second size
     * @param now speed at {@code current}
     */
    static long down(long least, long start, long current, double above, double now) {
        boolean alike = above <= 0 || Math.abs(above - now) / above < ALIKE;
        // A share of many cores in steps of one would take longer than it tells.
        long smallStep = Math.max(1, start / 4);
        return Math.max(least, alike ? current / 2 : current - smallStep);
    }

    static long up(long current) {
        return (current * 3 + 1) / 2;
    }

    static boolean worthMore(double before, double now) {
        return now > before * (1 + WORTH_MORE);
    }
}
