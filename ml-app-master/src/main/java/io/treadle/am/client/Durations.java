// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.Locale;

/** Writes times and amounts as people read them. */
final class Durations {
    private Durations() {}

    /** {@code 01:12}, {@code 2:03:04}. */
    static String clock(long ms) {
        long seconds = Math.max(0, ms) / 1000;
        return seconds < 3600
                ? String.format(Locale.ROOT, "%02d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
