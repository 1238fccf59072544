// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import java.util.Arrays;

/**
 * What was drawn over time, and might be, as means over stretches of equal length: when there are too many, each two become
 * one of twice the length, so that a run of years takes no more room than one of a day.
 */
public final class DrawSeries {
    /** Stretches that are kept, an even number. */
    static final int MOST = 2000;

    private static final long FIRST_STRETCH_MS = 1000;

    private final double[] joules = new double[MOST];
    private final double[] limitJoules = new double[MOST];
    private long stretchMs = FIRST_STRETCH_MS;
    private long spanMs;

    /**
     * Steady draw for a while.
     *
     * @param ms for how long
     * @param watts all nodes with all GPUs
     * @param limitWatts what they might draw; infinite for no limit
     */
    void add(long ms, double watts, double limitWatts) {
        while (spanMs + ms > MOST * stretchMs) {
            halve();
        }
        long left = ms;
        while (left > 0) {
            int at = (int) (spanMs / stretchMs);
            long here = Math.min(left, (at + 1) * stretchMs - spanMs);
            joules[at] += watts * here / 1000;
            limitJoules[at] += limitWatts * here / 1000;
            spanMs += here;
            left -= here;
        }
    }

    private void halve() {
        for (double[] values : new double[][] {joules, limitJoules}) {
            for (int i = 0; i < MOST / 2; i++) {
                values[i] = values[2 * i] + values[2 * i + 1];
            }
            Arrays.fill(values, MOST / 2, MOST, 0);
        }
        stretchMs *= 2;
    }

    /** From the first thing that happened to the last, s. */
    public double spanSeconds() {
        return spanMs / 1000.0;
    }

    /** Middles of the stretches, s since the first thing that happened. */
    public double[] seconds() {
        double[] seconds = new double[stretches()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = i * stretchMs / 1000.0 + stretchSeconds(i) / 2;
        }
        return seconds;
    }

    /** Mean draw of each stretch, W. */
    public double[] watts() {
        return means(joules);
    }

    /** Mean limit of each stretch, W; infinite where there was none. */
    public double[] limitWatts() {
        return means(limitJoules);
    }

    private double[] means(double[] values) {
        double[] means = new double[stretches()];
        for (int i = 0; i < means.length; i++) {
            means[i] = values[i] / stretchSeconds(i);
        }
        return means;
    }

    private int stretches() {
        return (int) ((spanMs + stretchMs - 1) / stretchMs);
    }

    private double stretchSeconds(int i) {
        return Math.min(stretchMs, spanMs - i * stretchMs) / 1000.0;
    }
}
