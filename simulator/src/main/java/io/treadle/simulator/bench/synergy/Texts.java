// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.Locale;

/** Figures as people read them. */
final class Texts {
    private Texts() {}

    static String hours(double hours) {
        return String.format(Locale.ROOT, "%.2f", hours);
    }

    static String times(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    static String plusMinus(double mean, double halfWidth) {
        return String.format(Locale.ROOT, "%.2f ± %.2f", mean, halfWidth);
    }
}
