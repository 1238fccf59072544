// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A distribution of durations that is uniform in log t between its edges. */
final class DurationCurve {
    private final double[] edges;
    /** Share below each edge; the last is 1. */
    private final double[] below;

    /**
     * @param edges s, rising
     * @param weights between them, in any unit
     */
    DurationCurve(double[] edges, double[] weights) {
        this.edges = edges;
        this.below = new double[edges.length];
        for (int i = 0; i < weights.length; i++) {
            below[i + 1] = below[i] + weights[i];
        }
        double sum = below[weights.length];
        for (int i = 0; i < below.length; i++) {
            below[i] /= sum;
        }
    }

    /** How long the jobs last, s, of which that share is shorter. */
    double quantile(double share) {
        int found = Arrays.binarySearch(below, share);
        int i = Math.min(Math.max(found >= 0 ? found : -found - 2, 0), edges.length - 2);
        while (i < edges.length - 2 && below[i + 1] == below[i]) {
            i++;
        }
        double within = below[i + 1] > below[i] ? (share - below[i]) / (below[i + 1] - below[i]) : 0;
        return edges[i] * Math.pow(edges[i + 1] / edges[i], Math.min(Math.max(within, 0), 1));
    }

    /**
     * One duration from each of {@code count} slices of equal share, with the given mean: drawn at random in its slice
     * and then all moved in proportion towards the ends of their slices, so that the curve holds to a job and the mean
     * to the rounding, whatever the tail and however few there are.
     *
     * @param mean s, the mean of this curve
     * @return whole seconds, rounded up, rising
     */
    int[] draw(int count, double mean, SplittableRandom random) {
        double[] drawn = new double[count];
        double[] ends = new double[count + 1];
        double sum = 0;
        for (int i = 0; i <= count; i++) {
            ends[i] = quantile((double) i / count);
        }
        for (int i = 0; i < count; i++) {
            drawn[i] = quantile((i + random.nextDouble()) / count);
            sum += drawn[i];
        }
        double missing = mean * count - sum;
        int side = missing > 0 ? 1 : 0;
        double room = 0;
        for (int i = 0; i < count; i++) {
            room += Math.abs(ends[i + side] - drawn[i]);
        }
        double part = room == 0 ? 0 : Math.min(1, Math.abs(missing) / room);
        int[] seconds = new int[count];
        for (int i = 0; i < count; i++) {
            double moved = drawn[i] + part * (ends[i + side] - drawn[i]);
            // A hair below a knot is the knot.
            seconds[i] = (int) Math.max(1, Math.ceil(moved - 1e-9 * moved));
        }
        return seconds;
    }
}
