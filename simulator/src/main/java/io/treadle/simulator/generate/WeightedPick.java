// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.SplittableRandom;

/** Picks an index with a chance in proportion to its weight, while weights change: a Fenwick tree. */
final class WeightedPick {
    private final double[] weights;
    private final double[] sums;
    private final int top;

    WeightedPick(double[] weights) {
        this.weights = new double[weights.length];
        this.sums = new double[weights.length + 1];
        this.top = Integer.highestOneBit(Math.max(1, weights.length));
        for (int i = 0; i < weights.length; i++) {
            set(i, weights[i]);
        }
    }

    double weight(int index) {
        return weights[index];
    }

    /** A negative weight counts as none. */
    void set(int index, double weight) {
        double change = Math.max(0, weight) - Math.max(0, weights[index]);
        weights[index] = weight;
        for (int i = index + 1; i < sums.length; i += i & -i) {
            sums[i] += change;
        }
    }

    int pick(SplittableRandom random) {
        double total = 0;
        for (int i = weights.length; i > 0; i -= i & -i) {
            total += sums[i];
        }
        double left = random.nextDouble() * total;
        int at = 0;
        for (int step = top; step > 0; step >>= 1) {
            if (at + step < sums.length && sums[at + step] <= left) {
                at += step;
                left -= sums[at];
            }
        }
        return Math.min(at, weights.length - 1);
    }
}
