// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Numbers in order. */
final class Quantiles {
    private final double[] sorted;

    Quantiles(double[] values) {
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    int count() {
        return sorted.length;
    }

    /** With linear interpolation between the two nearest values, as in {@code summary.json}. */
    OptionalDouble at(double share) {
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        double at = share * (sorted.length - 1);
        int below = (int) Math.floor(at);
        int above = Math.min(below + 1, sorted.length - 1);
        return OptionalDouble.of(sorted[below] + (sorted[above] - sorted[below]) * (at - below));
    }

    /**
     * The values at shares that are equally far apart, the least and the greatest among them.
     *
     * @param most how many at most; all of them where there are no more
     */
    double[] thinned(int most) {
        int count = Math.min(most, sorted.length);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = at(count == 1 ? 0 : i / (count - 1.0)).orElseThrow();
        }
        return values;
    }
}
