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
    private static final int BOTTOM = 28;
    private static final int MARGIN = 10;

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
                "<svg viewBox=\"0 0 %d %d\" width=\"100%%\" style=\"max-width:%dpx\" role=\"img\" "
                        + "aria-label=\"samples per second over vcores\" font-size=\"11\" fill=\"currentColor\">"
                        + "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"currentColor\" opacity=\".5\"/>",
                WIDTH,
                HEIGHT,
                WIDTH,
                LEFT,
                MARGIN,
                HEIGHT - BOTTOM,
                WIDTH - MARGIN));
        if (vcoresNow > 0) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path d=\"M%.1f %dV%d\" stroke=\"currentColor\" stroke-dasharray=\"3 3\" opacity=\".5\"/>",
                    x(vcoresNow, most),
                    MARGIN,
                    HEIGHT - BOTTOM));
        }
        StringBuilder line = new StringBuilder();
        for (ProfileRecord.Point point : points) {
            double x = x(point.vcores(), most);
            double y = y(point.samplesPerSecond(), fastest);
            line.append(String.format(Locale.ROOT, "%s%.1f %.1f", line.isEmpty() ? "M" : "L", x, y));
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#0072b2\"><title>%d vcores: %.1f samples/s"
                            + "</title></circle><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                    x,
                    y,
                    point.vcores(),
                    point.samplesPerSecond(),
                    x,
                    HEIGHT - BOTTOM + 16,
                    point.vcores()));
        }
        svg.append("<path d=\"")
                .append(line)
                .append("\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\"/>")
                .append(String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text><text x=\"%d\" y=\"%d\" "
                                + "text-anchor=\"end\">0</text></svg>",
                        LEFT - 6,
                        y(fastest, fastest) + 4,
                        fastest,
                        LEFT - 6,
                        HEIGHT - BOTTOM));
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
