// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.Quantile;
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
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Quantile.of(sorted, share));
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
