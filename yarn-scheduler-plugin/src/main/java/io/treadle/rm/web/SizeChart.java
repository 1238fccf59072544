// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.history.JobHistory.Size;
import io.treadle.rm.history.JobHistory.Speed;
import java.util.List;
import java.util.Locale;

/** What a job held and how fast it was, over the time since its submission. */
final class SizeChart {
    private static final double WIDTH = 760;
    private static final double LEFT = 52;
    private static final double RIGHT = WIDTH - 12;
    private static final double BAND = 86;
    private static final double GAP = 26;
    private static final double TOP = 18;

    private final TimeAxis axis;
    private final StringBuilder svg = new StringBuilder(4096);

    private SizeChart(TimeAxis axis) {
        this.axis = axis;
    }

    /**
     * @param submitMs left edge, ms since the epoch
     * @param endMs right edge: now, or the job's end
     * @param sizes at least one
     */
    static String svg(long submitMs, long endMs, List<Size> sizes, List<Speed> speeds) {
        SizeChart chart = new SizeChart(new TimeAxis(submitMs, Math.max(endMs, submitMs + 1000), LEFT, RIGHT));
        double height = TOP + 2 * BAND + GAP + 30;
        chart.svg.append(String.format(
                Locale.ROOT,
                "<svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"vcores and samples per second over"
                        + " time\">",
                WIDTH,
                height));
        chart.ticks(height);
        chart.sizes(sizes, endMs);
        chart.speeds(speeds);
        return chart.svg.append("</svg>").toString();
    }

    private void ticks(double height) {
        for (long tick : axis.ticks()) {
            double x = axis.x(axis.fromMs() + tick);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\"/><text class=\"tick\" x=\"%.1f\" y=\"%.0f\">%s</text>",
                    x,
                    x,
                    TOP,
                    height - 24,
                    x,
                    height - 8,
                    JobText.duration(tick)));
        }
    }

    private void band(double top, String name, String most) {
        double base = top + BAND;
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"name\" x=\"%.0f\" y=\"%.1f\">%s</text>"
                        + "<text class=\"scale\" x=\"%.0f\" y=\"%.1f\">%s</text><text class=\"scale\" x=\"%.0f\" y=\"%.1f\">0</text>",
                LEFT,
                RIGHT,
                base,
                base,
                LEFT + 4,
                top - 5,
                name,
                LEFT - 6,
                top + 9,
                most,
                LEFT - 6,
                base));
    }

    private void sizes(List<Size> sizes, long endMs) {
        long most = Math.max(1, sizes.stream().mapToLong(Size::vcores).max().orElse(1));
        band(TOP, "vcores of all tasks", Long.toString(most));
        double base = TOP + BAND;
        for (int i = 0; i < sizes.size(); i++) {
            Size size = sizes.get(i);
            long until = i + 1 < sizes.size() ? sizes.get(i + 1).atMs() : endMs;
            double x = axis.x(size.atMs());
            double high = BAND * size.vcores() / most;
            if (size.tasks() > 0) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect class=\"size\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>from %s on: %d vcores, %d GPUs, %d"
                                + " tasks</title></rect>",
                        x,
                        base - high,
                        Math.max(0.5, axis.x(until) - x),
                        high,
                        JobText.duration(size.atMs() - axis.fromMs()),
                        size.vcores(),
                        size.gpus(),
                        size.tasks()));
            }
        }
    }

    private void speeds(List<Speed> speeds) {
        double most = speeds.stream().mapToDouble(Speed::samplesPerSecond).max().orElse(0);
        double top = TOP + BAND + GAP;
        band(top, "samples/s", most > 0 ? JobText.number(most) : "");
        StringBuilder line = new StringBuilder();
        for (Speed speed : speeds) {
            line.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    axis.x(speed.atMs()),
                    top + BAND - (most > 0 ? BAND * speed.samplesPerSecond() / most : 0)));
        }
        svg.append("<polyline class=\"speed\" points=\"")
                .append(line.toString().strip())
                .append("\"/>");
    }
}
