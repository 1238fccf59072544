// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.Locale;

/** A job's measured speed over the vcores of a worker as a small SVG. */
final class ProfileChart {
    private static final double WIDTH = 220;
    private static final double HEIGHT = 122;
    private static final double LEFT = 30;
    private static final double BASE = 88;
    private static final double LABEL_GAP = 15;

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
        double free = 0;
        for (DemoResult.Point point : points) {
            double x = LEFT + (WIDTH - LEFT - 12) * point.vcores() / widest;
            String y = Html.number(BASE - (BASE - 14) * point.samplesPerSecond() / Math.max(highest, 1e-9));
            line.append(Html.number(x)).append(',').append(y).append(' ');
            dots.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%s\" r=\"3\"><title>%d vcores: %.1f samples/s</title></circle>",
                    x,
                    y,
                    point.vcores(),
                    point.samplesPerSecond()));
            // One that would stand upon another is left out.
            if (x >= free) {
                dots.append(String.format(
                        Locale.ROOT,
                        "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%d</text>",
                        x,
                        BASE + 14,
                        point.vcores()));
                free = x + LABEL_GAP;
            }
        }
        return String.format(
                Locale.ROOT,
                "<svg role=\"img\" viewBox=\"0 0 %.0f %.0f\" aria-label=\"samples a second over vcores of %s\">"
                        + "<line class=\"life\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\"/>"
                        + "<text class=\"scale\" x=\"%.0f\" y=\"17\">%.0f</text><text class=\"scale\" x=\"%.0f\" y=\"%.0f\">0</text>"
                        + "<text class=\"tick\" x=\"%.0f\" y=\"%.0f\">vcores of a worker</text><polyline points=\"%s\"/>%s</svg>",
                WIDTH,
                HEIGHT,
                Html.escape(job.name()),
                LEFT,
                WIDTH - 8,
                BASE,
                BASE,
                LEFT - 5,
                highest,
                LEFT - 5,
                BASE,
                (LEFT + WIDTH) / 2,
                HEIGHT - 4,
                line.toString().strip(),
                dots);
    }
}
