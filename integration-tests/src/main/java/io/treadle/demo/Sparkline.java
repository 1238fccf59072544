// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;

/** A row of bars, one character for each value, the highest value at full height. */
final class Sparkline {
    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    static String of(List<Double> values) {
        double highest = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (double value : values) {
            int bar = highest > 0 ? (int) Math.round(value / highest * (BARS.length() - 1)) : 0;
            text.append(BARS.charAt(Math.max(0, Math.min(BARS.length() - 1, bar))));
        }
        return text.toString();
    }
}
