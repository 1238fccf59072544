// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** A job's measured speed over the vcores of a task, and the curve that the scheduler made of it, at full memory. */
final class CurveChart {
    private static final double WIDTH = 560;
    private static final double HEIGHT = 230;
    private static final double LEFT = 52;
    private static final double RIGHT = WIDTH - 14;
    private static final double TOP = 26;
    private static final double BASE = HEIGHT - 42;
    private static final double LABEL_GAP = 16;

    private final double widest;
    private final double fastest;
    private final StringBuilder svg = new StringBuilder(2048);

    private CurveChart(double widest, double fastest) {
        this.widest = widest;
        this.fastest = fastest;
    }

    /**
     * @param points at least one, by vcores
     * @param now vcores of a task now; 0 for none
     */
    static String svg(
            List<ProfileRecord.Point> points, Optional<SensitivityMatrix> curve, long now, OptionalLong useful) {
        long most = Math.max(
                points.get(points.size() - 1).vcores(), Math.max(now, useful.isPresent() ? useful.getAsLong() : 0));
        double fastest = points.stream()
                .mapToDouble(ProfileRecord.Point::samplesPerSecond)
                .max()
                .orElse(0);
        double top =
                Math.max(fastest, curve.map(c -> c.at(most, Long.MAX_VALUE)).orElse(0.0));
        CurveChart chart = new CurveChart(most, Math.max(top, 1e-9));
        chart.svg.append(String.format(
                Locale.ROOT,
                "<svg class=\"chart curve\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"samples per second over vcores of a"
                        + " task\">",
                WIDTH,
                HEIGHT));
        chart.axes();
        if (now > 0 && useful.isPresent() && useful.getAsLong() == now) {
            chart.mark("now", now, "now, all that is useful", TOP - 2);
        } else {
            useful.ifPresent(vcores -> chart.mark("useful", vcores, "useful", TOP - 14));
            if (now > 0) {
                chart.mark("now", now, "now", TOP - 2);
            }
        }
        curve.ifPresent(chart::line);
        points.forEach(chart::point);
        chart.labels(points);
        return chart.svg.append("</svg>").toString();
    }

    private double x(double vcores) {
        return LEFT + (RIGHT - LEFT) * vcores / widest;
    }

    private double y(double speed) {
        return BASE - (BASE - TOP) * speed / fastest;
    }

    private void axes() {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\"/><line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\"/>"
                        + "<text class=\"scale\" x=\"%.0f\" y=\"%.0f\">%s</text><text class=\"scale\" x=\"%.0f\" y=\"%.0f\">0</text>"
                        + "<text class=\"name\" x=\"4\" y=\"%.0f\">samples/s</text><text class=\"tick\" x=\"%.0f\" y=\"%.0f\">vcores of a task</text>",
                LEFT,
                RIGHT,
                BASE,
                BASE,
                LEFT,
                LEFT,
                TOP,
                BASE,
                LEFT - 6,
                TOP + 8,
                JobText.number(fastest),
                LEFT - 6,
                BASE,
                TOP - 12,
                (LEFT + RIGHT) / 2,
                HEIGHT - 6));
    }

    private void mark(String kind, long vcores, String text, double y) {
        double x = x(vcores);
        // Near the right edge the text stands left of its line.
        String anchor = x > RIGHT - 130 ? "end" : "start";
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"mark %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"marktext\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s: %d</text>",
                kind,
                x,
                x,
                y + 2,
                BASE,
                anchor,
                anchor.equals("end") ? x - 3 : x + 3,
                y,
                text,
                vcores));
    }

    private void line(SensitivityMatrix curve) {
        StringBuilder points = new StringBuilder();
        for (int step = 0; step <= 60; step++) {
            long vcores = Math.max(1, Math.round(widest * step / 60));
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(vcores), y(curve.at(vcores, Long.MAX_VALUE))));
        }
        svg.append("<polyline class=\"fit\" points=\"")
                .append(points.toString().strip())
                .append("\"/>");
    }

    private void point(ProfileRecord.Point point) {
        svg.append(String.format(
                Locale.ROOT,
                "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%d vcores: %s samples/s</title></circle>",
                x(point.vcores()),
                y(point.samplesPerSecond()),
                point.vcores(),
                JobText.number(point.samplesPerSecond())));
    }

    /** Below the axis, those left out that would stand upon another. */
    private void labels(List<ProfileRecord.Point> points) {
        double free = 0;
        for (ProfileRecord.Point point : points) {
            double x = x(point.vcores());
            if (x >= free) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<text class=\"tick\" x=\"%.1f\" y=\"%.0f\">%d</text>",
                        x,
                        BASE + 15,
                        point.vcores()));
                free = x + LABEL_GAP;
            }
        }
    }
}
