// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Locale;

/** A job's measured points as an inline picture. */
final class ThroughputChart {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 220;
    private static final int LEFT = 56;
    private static final int BOTTOM = 42;
    private static final int MARGIN = 14;
    private static final int LABEL_GAP = 20;

    private ThroughputChart() {}

    /** @param vcoresNow marked on the axis; 0 for none */
    static String svg(List<ProfileRecord.Point> points, long vcoresNow) {
        if (points.isEmpty()) {
            return "<p>Nothing measured yet.</p>";
        }
        long most = Math.max(points.get(points.size() - 1).vcores(), vcoresNow);
        double fastest = points.stream()
                .mapToDouble(ProfileRecord.Point::samplesPerSecond)
                .max()
                .orElse(1);
        StringBuilder svg = new StringBuilder(1024);
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"samples per second over vcores of a worker\">"
                        + "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>",
                WIDTH,
                HEIGHT,
                LEFT,
                MARGIN,
                HEIGHT - BOTTOM,
                WIDTH - MARGIN));
        if (vcoresNow > 0) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"now\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"end\">now: %d</text>",
                    x(vcoresNow, most),
                    MARGIN,
                    HEIGHT - BOTTOM,
                    x(vcoresNow, most) - 4,
                    MARGIN + 4,
                    vcoresNow));
        }
        StringBuilder line = new StringBuilder();
        double free = 0;
        for (ProfileRecord.Point point : points) {
            double x = x(point.vcores(), most);
            double y = y(point.samplesPerSecond(), fastest);
            line.append(String.format(Locale.ROOT, "%s%.1f %.1f", line.isEmpty() ? "M" : "L", x, y));
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%d vcores: %.1f samples/s</title></circle>",
                    x,
                    y,
                    point.vcores(),
                    point.samplesPerSecond()));
            // One that would stand upon another is left out.
            if (x >= free) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                        x,
                        HEIGHT - BOTTOM + 16,
                        point.vcores()));
                free = x + LABEL_GAP;
            }
        }
        svg.append("<path class=\"line\" d=\"")
                .append(line)
                .append("\"/>")
                .append(String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text><text x=\"%d\" y=\"%d\" "
                                + "text-anchor=\"end\">0</text><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">vcores of a worker</text></svg>",
                        LEFT - 6,
                        y(fastest, fastest) + 4,
                        fastest,
                        LEFT - 6,
                        HEIGHT - BOTTOM,
                        (LEFT + WIDTH) / 2,
                        HEIGHT - 6));
        return svg.toString();
    }

    private static double x(long vcores, long most) {
        return LEFT + (double) vcores / most * (WIDTH - LEFT - 2 * MARGIN);
    }

    private static double y(double speed, double fastest) {
        double share = fastest > 0 ? speed / fastest : 0;
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 2 * MARGIN);
    }
}
