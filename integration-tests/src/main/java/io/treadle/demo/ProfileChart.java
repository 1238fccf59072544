// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.Locale;

/** A job's measured speed over vcores as a small SVG. */
final class ProfileChart {
    private static final double WIDTH = 220;
    private static final double HEIGHT = 110;
    private static final double LEFT = 34;
    private static final double BASE = 88;

    private ProfileChart() {}

    static String of(DemoResult.Job job) {
        List<DemoResult.Point> points = job.profile();
        double widest =
                points.stream().mapToLong(DemoResult.Point::vcores).max().orElse(1);
        double highest = points.stream()
                .mapToDouble(DemoResult.Point::samplesPerSecond)
                .max()
                .orElse(1);
        StringBuilder line = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        for (DemoResult.Point point : points) {
            String x = Html.number(LEFT + (WIDTH - LEFT - 12) * point.vcores() / widest);
            String y = Html.number(BASE - (BASE - 14) * point.samplesPerSecond() / Math.max(highest, 1e-9));
            line.append(x).append(',').append(y).append(' ');
            dots.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%s\" cy=\"%s\" r=\"3\"><title>%d vcores: %.1f samples/s</title></circle><text class=\"tick\" x=\"%s\" y=\"%s\">%d</text>",
                    x,
                    y,
                    point.vcores(),
                    point.samplesPerSecond(),
                    x,
                    Html.number(BASE + 14),
                    point.vcores()));
        }
        return String.format(
                Locale.ROOT,
                "<svg role=\"img\" viewBox=\"0 0 %s %s\" aria-label=\"samples a second over vcores of %s\">"
                        + "<line class=\"life\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
                        + "<text class=\"tick\" x=\"14\" y=\"18\">%.0f/s</text><polyline points=\"%s\"/>%s</svg>",
                Html.number(WIDTH),
                Html.number(HEIGHT),
                Html.escape(job.name()),
                Html.number(LEFT),
                Html.number(WIDTH - 8),
                Html.number(BASE),
                Html.number(BASE),
                highest,
                line.toString().strip(),
                dots);
    }
}
