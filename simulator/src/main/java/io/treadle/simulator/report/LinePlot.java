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
    private boolean snaps;

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
            points.append(i == 0 ? "" : " ").append(point(xs[i], ys[i]));
        }
        curves.add("<polyline class=\"s" + number % Series.COLOURS + "\" data-policy=\"" + number + "\" points=\""
                + points + "\"/>");
    }

    /** A line that curves are to stay below; not drawn where it is infinite. */
    void limit(double[] xs, double[] ys) {
        StringBuilder path = new StringBuilder();
        boolean isOn = false;
        for (int i = 0; i < xs.length; i++) {
            boolean goesOn = isOn;
            isOn = Double.isFinite(ys[i]);
            if (isOn) {
                path.append(goesOn ? 'L' : 'M').append(point(xs[i], ys[i]).replace(',', ' '));
            }
        }
        curves.add("<path class=\"limit\" d=\"" + path + "\"/>");
    }

    /** Marks the points of a curve, so that one alone is seen too. */
    void dots(int number, double[] xs, double[] ys) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            path.append('M').append(point(xs[i], ys[i]).replace(',', ' ')).append("h0");
        }
        curves.add("<path class=\"dots s" + number % Series.COLOURS + "\" d=\"" + path + "\"/>");
    }

    /** The area between two curves over the same points, and a stroke from one to the other at each. */
    void band(int number, double[] xs, double[] lows, double[] highs) {
        StringBuilder points = new StringBuilder();
        StringBuilder strokes = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(i == 0 ? "" : " ").append(point(xs[i], highs[i]));
            strokes.append('M').append(point(xs[i], lows[i]).replace(',', ' ')).append('L');
            strokes.append(point(xs[i], highs[i]).replace(',', ' '));
        }
        for (int i = xs.length - 1; i >= 0; i--) {
            points.append(' ').append(point(xs[i], lows[i]));
        }
        String kind = " s" + number % Series.COLOURS + "\" ";
        curves.add("<polygon class=\"band" + kind + "points=\"" + points + "\"/>");
        curves.add("<path class=\"bar" + kind + "d=\"" + strokes + "\"/>");
    }

    private String point(double at, double value) {
        return Html.number(SIZE * x.at(at)) + ',' + Html.number(SIZE * (1 - y.at(value)));
    }

    /** The pointer goes from point to point of the curves, which all have the same. */
    LinePlot snapping() {
        snaps = true;
        return this;
    }

    /** @param kind a further class */
    String html(String kind) {
        StringBuilder html = new StringBuilder();
        html.append("<div class=\"plot ").append(kind).append("\" role=\"img\" tabindex=\"0\" aria-label=\"");
        html.append(Html.escape(title)).append("\" ");
        axis(html, "x", x);
        axis(html, "y", y);
        html.append(snaps ? "data-snap=\"true\"" : "");
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
