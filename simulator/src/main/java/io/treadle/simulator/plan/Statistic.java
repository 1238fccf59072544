// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** One number for many. */
enum Statistic {
    MEAN,
    P50,
    P95,
    P99,
    MAX;

    static Optional<Statistic> named(String word) {
        return Arrays.stream(values())
                .filter(statistic -> statistic.text().equals(word))
                .findFirst();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
