// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.history.JobHistory;
import java.util.List;
import java.util.Locale;

/** A job's speed over time, as small as a word. */
final class Sparkline {
    private static final double WIDTH = 84;
    private static final double HEIGHT = 18;

    private Sparkline() {}

    /** Empty where it would be level at nothing. */
    static String svg(List<JobHistory.Speed> speeds) {
        double most = speeds.stream()
                .mapToDouble(JobHistory.Speed::samplesPerSecond)
                .max()
                .orElse(0);
        if (speeds.size() < 2 || most == 0) {
            return "";
        }
        long from = speeds.get(0).atMs();
        long to = speeds.get(speeds.size() - 1).atMs();
        StringBuilder points = new StringBuilder();
        for (JobHistory.Speed speed : speeds) {
            points.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    1 + (WIDTH - 2) * (speed.atMs() - from) / Math.max(1, to - from),
                    HEIGHT - 1 - (HEIGHT - 3) * speed.samplesPerSecond() / most));
        }
        return String.format(
                Locale.ROOT,
                "<svg class=\"spark\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"samples/s"
                        + " over time, at most %s\"><polyline points=\"%s\"/></svg>",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT,
                JobText.number(most),
                points.toString().strip());
    }
}
