// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.Locale;

/**
 * One run over time as SVG: a lane for each job, from its arrival to its end; the band in it is as high as the job has
 * vcores, and says its GPUs and nodes on hover.
 */
final class TimelineChart {
    private static final double LEFT = 92;
    private static final double WIDTH = 860;
    private static final double LANE = 34;
    private static final double TOP = 8;
    private static final double BOTTOM = 24;

    private TimelineChart() {}

    /** @param endSeconds right edge, the same for all runs so that they can be compared */
    static String of(List<DemoResult.Job> jobs, double endSeconds) {
        double scale = (WIDTH - LEFT - 8) / Math.max(1, endSeconds);
        int most = jobs.stream()
                .flatMap(job -> job.spans().stream())
                .mapToInt(DemoResult.Span::vcores)
                .max()
                .orElse(1);
        double height = TOP + jobs.size() * LANE + BOTTOM;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg role=\"img\" viewBox=\"0 0 ")
                .append(Html.number(WIDTH))
                .append(' ')
                .append(Html.number(height))
                .append("\" aria-label=\"GPUs and vcores of each job over time\">");
        axis(svg, endSeconds, scale, TOP + jobs.size() * LANE);
        for (int i = 0; i < jobs.size(); i++) {
            lane(svg, jobs.get(i), i, scale, most);
        }
        return svg.append("</svg>").toString();
    }

    private static void axis(StringBuilder svg, double endSeconds, double scale, double bottom) {
        int step = endSeconds > 150 ? 30 : 20;
        for (int second = 0; second <= endSeconds; second += step) {
            String x = Html.number(LEFT + second * scale);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/><text class=\"tick\" x=\"%s\" y=\"%s\">%d s</text>",
                    x,
                    x,
                    Html.number(TOP),
                    Html.number(bottom),
                    x,
                    Html.number(bottom + 16),
                    second));
        }
    }

    private static void lane(StringBuilder svg, DemoResult.Job job, int index, double scale, int most) {
        double top = TOP + index * LANE;
        double base = top + LANE - 5;
        double from = LEFT + job.arrivalSeconds() * scale;
        double to = LEFT + (job.arrivalSeconds() + job.jctSeconds()) * scale;
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"lane\" x=\"4\" y=\"%s\">%s</text><line class=\"life\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>",
                Html.number(base - 6),
                Html.escape(job.name()),
                Html.number(from),
                Html.number(to),
                Html.number(base),
                Html.number(base)));
        for (DemoResult.Span span : job.spans()) {
            double high = Math.max(3, (LANE - 9) * span.vcores() / most);
            double wide = Math.max(1, (span.toSeconds() - span.fromSeconds()) * scale);
            String what = String.format(
                    Locale.ROOT,
                    "%s: %d GPUs and %d vcores on %s, %.0f s to %.0f s",
                    job.name(),
                    span.gpus(),
                    span.vcores(),
                    String.join(", ", span.nodes()),
                    span.fromSeconds(),
                    span.toSeconds());
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"c%d\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>",
                    index % 8,
                    Html.number(LEFT + span.fromSeconds() * scale),
                    Html.number(base - high),
                    Html.number(wide),
                    Html.number(high),
                    Html.escape(what)));
            if (wide > 34) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<text class=\"held\" x=\"%s\" y=\"%s\">%d GPU · %d</text>",
                        Html.number(LEFT + span.fromSeconds() * scale + 3),
                        Html.number(base - 3),
                        span.gpus(),
                        span.vcores()));
            }
        }
    }
}
