// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.Arrays;
import java.util.Collection;

/** Numbers of which shares lie below others: the smallest that at least so many percent do not exceed (nearest rank). */
public final class Percentiles {
    private static final double ALL = 100;

    private final double[] sorted;

    public Percentiles(Collection<Double> values) {
        sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    int count() {
        return sorted.length;
    }

    /** NaN where there are none. */
    public double mean() {
        return Arrays.stream(sorted).average().orElse(Double.NaN);
    }

    /**
     * NaN where there are none.
     *
     * @param percent above 0, 100 at most
     */
    public double at(double percent) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(percent / ALL * sorted.length);
        return sorted[Math.max(1, rank) - 1];
    }
}
