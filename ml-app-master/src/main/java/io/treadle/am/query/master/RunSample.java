// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The last run times of a task: how they spread says more than their mean of how long others wait for it. */
final class RunSample {
    static final int MOST = 500;
    /** Every twentieth of them, the least and the most among them. */
    static final int QUANTILES = 21;

    private final double[] last = new double[MOST];
    private long count;

    void add(double ms) {
        last[(int) (count++ % MOST)] = ms;
    }

    /** Of the last ones, from the least to the most in equal steps, in order; empty where there are none. */
    List<Double> quantiles() {
        int size = (int) Math.min(count, MOST);
        if (size == 0) {
            return List.of();
        }
        double[] sorted = Arrays.copyOf(last, size);
        Arrays.sort(sorted);
        List<Double> quantiles = new ArrayList<>();
        for (int i = 0; i < QUANTILES; i++) {
            quantiles.add(sorted[Math.round((size - 1) * i / (float) (QUANTILES - 1))]);
        }
        return quantiles;
    }
}
