// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongToDoubleFunction;

/** A job's measured speed over the vcores, or the memory, of a task, and the curve that the scheduler made of it. */
final class CurveChart {
    private static final double WIDTH = 560;
    private static final double HEIGHT = 230;
    private static final double LEFT = 52;
    private static final double RIGHT = WIDTH - 14;
    private static final double TOP = 26;
    private static final double BASE = HEIGHT - 42;
    /** Width of a digit of a label. */
    private static final double DIGIT = 6.5;

    private static final double LABEL_GAP = 8;
    /** Pieces of the curve. */
    private static final int STEPS = 60;

    private final double widest;
    private final double fastest;
    private final StringBuilder svg = new StringBuilder(2048);

    private CurveChart(double widest, double fastest) {
        this.widest = widest;
        this.fastest = fastest;
    }

    /**
     * What the speed is drawn over.
     *
     * @param name of the axis
     * @param ticks numbers below it, rising
     * @param now what a task has; 0 for none
     * @param useful what it can use
     */
    record Over(String name, List<Long> ticks, long now, OptionalLong useful) {}

    /** @param points measured ones; some, or a curve */
    static String svg(Over over, List<Point> points, Optional<LongToDoubleFunction> curve) {
        long now = over.now();
        OptionalLong useful = over.useful();
        long most = Math.max(
                over.ticks().get(over.ticks().size() - 1), Math.max(now, useful.isPresent() ? useful.getAsLong() : 0));
        double fastest = points.stream().mapToDouble(Point::speed).max().orElse(0);
        double top = Math.max(fastest, curve.map(c -> c.applyAsDouble(most)).orElse(0.0));
        CurveChart chart = new CurveChart(most, Math.max(top, 1e-9));
        chart.svg.append(String.format(
                Locale.ROOT,
                "<svg class=\"chart curve\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"samples per second"
                        + " over %s\">",
                WIDTH,
                HEIGHT,
                over.name()));
        chart.axes(over.name());
        if (now > 0 && useful.isPresent() && useful.getAsLong() == now) {
            chart.mark("now", now, "now, all that is useful", TOP - 2);
        } else {
            useful.ifPresent(size -> chart.mark("useful", size, "useful", TOP - 14));
            if (now > 0) {
                chart.mark("now", now, "now", TOP - 2);
            }
        }
        curve.ifPresent(chart::line);
        points.forEach(chart::point);
        chart.labels(over.ticks());
        return chart.svg.append("</svg>").toString();
    }

    /** @param title of its dot */
    record Point(long size, double speed, String title) {}

    private double x(double size) {
        return LEFT + (RIGHT - LEFT) * size / widest;
    }

    private double y(double speed) {
        return BASE - (BASE - TOP) * speed / fastest;
    }

    private void axes(String name) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\"/><line class=\"axis\""
                        + " x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\"/><text class=\"scale\" x=\"%.0f\""
                        + " y=\"%.0f\">%s</text><text class=\"scale\" x=\"%.0f\" y=\"%.0f\">0</text><text class=\"name\""
                        + " x=\"4\" y=\"%.0f\">samples/s</text><text class=\"tick\" x=\"%.0f\" y=\"%.0f\">%s</text>",
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
                HEIGHT - 6,
                name));
    }

    private void mark(String kind, long size, String text, double y) {
        double x = x(size);
        // Near the right edge the text stands left of its line.
        String anchor = x > RIGHT - 130 ? "end" : "start";
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"mark %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"marktext\""
                        + " text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s: %s</text>",
                kind,
                x,
                x,
                y + 2,
                BASE,
                anchor,
                anchor.equals("end") ? x - 3 : x + 3,
                y,
                text,
                JobText.count(size)));
    }

    private void line(LongToDoubleFunction curve) {
        StringBuilder points = new StringBuilder();
        for (int step = 0; step <= STEPS; step++) {
            long size = Math.max(1, Math.round(widest * step / STEPS));
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(size), y(curve.applyAsDouble(size))));
        }
        svg.append("<polyline class=\"fit\" points=\"")
                .append(points.toString().strip())
                .append("\"/>");
    }

    private void point(Point point) {
        svg.append(String.format(
                Locale.ROOT,
                "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s: %s samples/s</title></circle>",
                x(point.size()),
                y(point.speed()),
                point.title(),
                JobText.number(point.speed())));
    }

    /** Below the axis, those left out that would stand upon another. */
    private void labels(List<Long> ticks) {
        double free = 0;
        for (long tick : ticks) {
            String label = JobText.count(tick);
            double half = label.length() * DIGIT / 2;
            if (x(tick) - half >= free) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<text class=\"tick\" x=\"%.1f\" y=\"%.0f\">%s</text>",
                        Math.min(x(tick), WIDTH - half - 1),
                        BASE + 15,
                        label));
                free = x(tick) + half + LABEL_GAP;
            }
        }
    }
}
