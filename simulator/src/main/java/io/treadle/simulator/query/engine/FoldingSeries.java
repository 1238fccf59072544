// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import java.util.Arrays;

/**
 * Sums over stretches of time of equal length, as many as a plot has room for: where time goes beyond them, two become one.
 */
public final class FoldingSeries {
    private static final int STRETCHES = 256;
    /** Doubled, whole seconds come of it, which read well. */
    private static final double FIRST_MS = 125;

    private final double[] sums = new double[STRETCHES];
    private double lengthMs = FIRST_MS;
    private int used;

    void add(double atMs, double amount) {
        int stretch = stretch(atMs);
        sums[stretch] += amount;
        used = Math.max(used, stretch + 1);
    }

    /** The time between two moments, to the stretches that it lies in. */
    void addTime(double fromMs, double toMs) {
        if (toMs <= fromMs) {
            return;
        }
        int last = stretch(toMs);
        for (int i = stretch(fromMs); i <= last; i++) {
            sums[i] += Math.max(0, Math.min(toMs, (i + 1) * lengthMs) - Math.max(fromMs, i * lengthMs));
        }
        used = Math.max(used, last + 1);
    }

    private int stretch(double atMs) {
        while (atMs >= lengthMs * STRETCHES) {
            for (int i = 0; i < STRETCHES / 2; i++) {
                sums[i] = sums[2 * i] + sums[2 * i + 1];
            }
            Arrays.fill(sums, STRETCHES / 2, STRETCHES, 0);
            used = (used + 1) / 2;
            lengthMs *= 2;
        }
        return (int) (atMs / lengthMs);
    }

    /** How long a stretch is, ms. */
    public double lengthMs() {
        return lengthMs;
    }

    /** From the beginning, as far as anything was added. */
    public double[] sums() {
        return Arrays.copyOf(sums, used);
    }
}
