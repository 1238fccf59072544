// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.Locale;

/**
 * How far a load is.
 *
 * @param elapsedSeconds since it began, s
 * @param answered of those that were sent, those that failed among them
 * @param total to be sent in all
 */
public record LoadProgress(double elapsedSeconds, int sent, int answered, int failed, int total) {
    public String inWords() {
        return String.format(
                Locale.ROOT,
                "%5.1f s  %,d of %,d queries sent, %,d under way%s",
                elapsedSeconds,
                sent,
                total,
                sent - answered,
                failed == 0 ? "" : String.format(Locale.ROOT, ", %,d failed", failed));
    }
}
