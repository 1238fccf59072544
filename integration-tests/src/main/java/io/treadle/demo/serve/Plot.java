// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.Html;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** A drawing with two axes as SVG. */
final class Plot {
    static final double LEFT = 62;
    static final double RIGHT = 876;
    static final double TOP = 10;
    static final double BASE = 250;
    private static final double WIDTH = 900;
    private static final double HEIGHT = 288;
    private static final double LABEL = 4;

    private final StringBuilder svg = new StringBuilder();

    /** @param name for those who cannot see it */
    Plot(String name) {
        svg.append(String.format(
                Locale.ROOT,
                "<svg class=\"timeline\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                Html.escape(name)));
    }

    /** Lines across, and what they stand for. */
    Plot vertical(Scale scale, DoubleFunction<String> label) {
        for (double tick : scale.ticks()) {
            line("grid", LEFT, scale.at(tick), RIGHT, scale.at(tick));
            text("scale", LEFT - LABEL, scale.at(tick) + LABEL, label.apply(tick));
        }
        return this;
    }

    Plot horizontal(Scale scale, DoubleFunction<String> label, String name) {
        for (double tick : scale.ticks()) {
            line("grid", scale.at(tick), TOP, scale.at(tick), BASE);
            text("tick", scale.at(tick), BASE + 14, label.apply(tick));
        }
        return named(name);
    }

    /** What the horizontal axis has. */
    Plot named(String name) {
        text("tick", (LEFT + RIGHT) / 2, HEIGHT - 6, name);
        return this;
    }

    Plot baseline() {
        line("life", LEFT, BASE, RIGHT, BASE);
        return this;
    }

    /** @param points pairs of places */
    Plot curve(int series, List<double[]> points) {
        svg.append("<polyline class=\"p").append(series).append("\" points=\"");
        points.forEach(point -> svg.append(Html.number(point[0]))
                .append(',')
                .append(Html.number(point[1]))
                .append(' '));
        svg.append("\"/>");
        return this;
    }

    Plot bar(int series, double x, double width, double y, String title) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"f%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                series,
                x,
                y,
                width,
                Math.max(0, BASE - y),
                Html.escape(title)));
        return this;
    }

    private void line(String kind, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                kind,
                x1,
                y1,
                x2,
                y2));
    }

    Plot text(String kind, double x, double y, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", kind, x, y, Html.escape(text)));
        return this;
    }

    String svg() {
        return svg + "</svg>";
    }
}
