// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import java.util.ArrayList;
import java.util.List;

/**
 * Time from left to right in a drawing, counted from its start.
 *
 * @param fromMs ms since the epoch, at {@code left}
 * @param toMs at {@code right}
 */
record TimeAxis(long fromMs, long toMs, double left, double right) {
    private static final int MOST_TICKS = 8;
    private static final long[] STEPS_SECONDS = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 604_800,
        2_592_000
    };

    double x(long ms) {
        long clamped = Math.max(fromMs, Math.min(toMs, ms));
        return left + (right - left) * (clamped - fromMs) / Math.max(1, toMs - fromMs);
    }

    /** Round times after the start, ms. */
    List<Long> ticks() {
        long span = Math.max(1, toMs - fromMs);
        long step = STEPS_SECONDS[STEPS_SECONDS.length - 1] * 1000;
        for (long seconds : STEPS_SECONDS) {
            if (span / (seconds * 1000) <= MOST_TICKS) {
                step = seconds * 1000;
                break;
            }
        }
        List<Long> ticks = new ArrayList<>();
        for (long tick = 0; tick <= span; tick += step) {
            ticks.add(tick);
        }
        return ticks;
    }
}
