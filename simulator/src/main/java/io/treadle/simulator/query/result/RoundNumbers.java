// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import java.util.ArrayList;
import java.util.List;

/** Numbers that people read with ease, for the points of a curve. */
final class RoundNumbers {
    private RoundNumbers() {}

    /**
     * @param least above 0
     * @return rising in about equal ratios, whole from 10 on; the first at most {@code least}, the last at least {@code most}
     */
    static List<Double> between(double least, double most, int count) {
        double low = Math.max(least, most * 1e-6);
        List<Double> numbers = new ArrayList<>();
        numbers.add(down(low));
        double ratio = Math.pow(most / low, 1.0 / count);
        double exact = low;
        while (numbers.get(numbers.size() - 1) < most) {
            exact *= Math.max(ratio, 1 + 1e-3);
            double next = up(exact);
            if (next > numbers.get(numbers.size() - 1)) {
                numbers.add(next);
            }
        }
        return numbers;
    }

    private static double unit(double value) {
        return Math.pow(10, Math.floor(Math.log10(value)) - 2);
    }

    private static double down(double value) {
        return tidy(Math.floor(value / unit(value)), unit(value));
    }

    private static double up(double value) {
        return tidy(Math.ceil(value / unit(value)), unit(value));
    }

    /** Without the digits that multiplying by 0.01 leaves. */
    private static double tidy(double times, double unit) {
        return unit < 1 ? times / Math.rint(1 / unit) : times * Math.rint(unit);
    }
}
