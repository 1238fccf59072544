// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Curves over one another. The drawing stretches with the screen, the text around it does not: it is readable on a
 * phone too.
 */
final class LinePlot {
    /** The drawing's own units, which the page stretches. */
    private static final double SIZE = 1000;

    private final String title;
    private final Axis x;
    private final Axis y;
    private final List<String> curves = new ArrayList<>();

    /** @param title what it shows, for those who cannot see it */
    LinePlot(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** @param number chooses colour and dashes */
    void curve(int number, double[] xs, double[] ys) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(i == 0 ? "" : " ")
                    .append(Html.number(SIZE * x.at(xs[i])))
                    .append(',')
                    .append(Html.number(SIZE * (1 - y.at(ys[i]))));
        }
        curves.add("<polyline class=\"s" + number % Series.COLOURS + "\" data-policy=\"" + number + "\" points=\""
                + points + "\"/>");
    }

    /** @param kind a further class */
    String html(String kind) {
        StringBuilder html = new StringBuilder();
        html.append("<div class=\"plot ").append(kind).append("\" role=\"img\" tabindex=\"0\" aria-label=\"");
        html.append(Html.escape(title)).append("\" ");
        axis(html, "x", x);
        axis(html, "y", y);
        html.append("><svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
        for (Axis.Tick tick : y.ticks()) {
            String at = Html.number(SIZE * (1 - y.at(tick.value())));
            html.append("<path class=\"rule\" d=\"M0 ").append(at).append("H1000\"/>");
        }
        for (Axis.Tick tick : x.ticks()) {
            String at = Html.number(SIZE * x.at(tick.value()));
            html.append("<path class=\"rule\" d=\"M").append(at).append(" 0V1000\"/>");
        }
        curves.forEach(html::append);
        html.append("</svg>");
        for (Axis.Tick tick : y.ticks()) {
            label(html, "y", "top", 100 * (1 - y.at(tick.value())), tick);
        }
        for (Axis.Tick tick : x.ticks()) {
            label(html, "x", "left", 100 * x.at(tick.value()), tick);
        }
        return html.append("</div>\n").toString();
    }

    private static void axis(StringBuilder html, String name, Axis axis) {
        html.append("data-").append(name).append("=\"");
        html.append(axis.least()).append(' ').append(axis.most()).append(' ');
        html.append(axis.isLog() ? "log" : "even")
                .append(' ')
                .append(axis.kind())
                .append("\" ");
    }

    private static void label(StringBuilder html, String kind, String side, double at, Axis.Tick tick) {
        html.append("<span class=\"").append(kind).append(tick.isMain() ? "" : " minor");
        html.append("\" style=\"")
                .append(side)
                .append(':')
                .append(Html.number(at))
                .append("%\">");
        html.append(Html.escape(tick.name())).append("</span>");
    }
}
