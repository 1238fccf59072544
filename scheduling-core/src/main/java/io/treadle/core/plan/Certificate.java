// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import java.util.Locale;

/**
 * How near the choice of the jobs that run comes to the best.
 *
 * @param value what the jobs that were chosen bring: what their ends are worth, or what an hour of them brings of that
 * @param bound no choice among the same sizes is worth more
 * @param finished whether the search came to its end; otherwise its steps were used up and this is the best so far
 */
public record Certificate(double value, double bound, boolean finished) {
    /** How much of the bound is missed at most, from 0 to 1. */
    public double gap() {
        return bound <= 0 ? 0 : Math.max(0, 1 - value / bound);
    }

    /** One line with numbers, for a person. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "of what is given out by size, before places are found, the chosen jobs bring %.2f; no choice could bring more than %.2f (%.1f %% off)%s",
                value,
                bound,
                100 * gap(),
                finished ? "" : "; the search was cut short");
    }
}
