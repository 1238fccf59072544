// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One run over time as SVG: a lane for each job, from its arrival to its end, whose band is as high as the job has
 * vcores; below them the GPUs that all jobs hold, one upon the other. A job has one colour in both.
 */
final class TimelineChart {
    private static final double LEFT = 148;
    private static final double WIDTH = 900;
    private static final double RIGHT = WIDTH - 40;
    private static final double LANE = 40;
    private static final double BAND = 26;
    private static final double TOP = 6;
    private static final double GPUS = 84;
    private static final double GPUS_GAP = 22;
    private static final double BOTTOM = 22;
    /** A number of so many pixels and more has room above its band. */
    private static final double ROOM = 15;

    private static final int COLOURS = 10;

    private final StringBuilder svg = new StringBuilder();
    private final List<DemoResult.Job> jobs;
    private final double scale;
    private final double lanesEnd;

    private TimelineChart(List<DemoResult.Job> jobs, double endSeconds) {
        this.jobs = jobs;
        scale = (RIGHT - LEFT) / Math.max(1, endSeconds);
        lanesEnd = TOP + jobs.size() * LANE;
    }

    /**
     * @param endSeconds right edge, the same for all runs so that they can be compared
     * @param gpus GPUs of the cluster
     */
    static String of(List<DemoResult.Job> jobs, double endSeconds, int gpus) {
        TimelineChart chart = new TimelineChart(jobs, endSeconds);
        double bottom = chart.lanesEnd + GPUS_GAP + GPUS;
        chart.svg
                .append("<svg class=\"timeline\" role=\"img\" viewBox=\"0 0 ")
                .append(Html.number(WIDTH))
                .append(' ')
                .append(Html.number(bottom + BOTTOM))
                .append("\" aria-label=\"GPUs and vcores of each job over time\">");
        chart.axis(endSeconds, bottom);
        int most = jobs.stream()
                .flatMap(job -> job.spans().stream())
                .mapToInt(DemoResult.Span::vcores)
                .max()
                .orElse(1);
        for (int i = 0; i < jobs.size(); i++) {
            chart.lane(jobs.get(i), i, most);
        }
        chart.gpus(Math.max(1, gpus), bottom);
        return chart.svg.append("</svg>").toString();
    }

    private double x(double seconds) {
        return LEFT + seconds * scale;
    }

    private void axis(double endSeconds, double bottom) {
        int step = endSeconds > 400 ? 60 : endSeconds > 150 ? 30 : endSeconds > 60 ? 20 : 10;
        for (int second = 0; second <= endSeconds; second += step) {
            line("grid", x(second), TOP, x(second), bottom);
            text("tick", x(second), bottom + 14, second + " s");
        }
    }

    private void lane(DemoResult.Job job, int index, int most) {
        double base = TOP + (index + 1) * LANE - 3;
        text("lane", 2, base - 11, job.name());
        int gpus = job.spans().stream().mapToInt(DemoResult.Span::gpus).max().orElse(0);
        String nodes = job.spans().isEmpty()
                ? ""
                : " on "
                        + String.join(
                                " ", job.spans().get(job.spans().size() - 1).nodes());
        text("note", 2, base, gpus + (gpus == 1 ? " GPU" : " GPUs") + nodes);
        double end = job.arrivalSeconds() + job.jctSeconds();
        double first = job.spans().isEmpty() ? end : job.spans().get(0).fromSeconds();
        line("wait", x(job.arrivalSeconds()), base, x(first), base);
        line("life", x(first), base, x(end), base);
        text(
                "end",
                x(end) + 3,
                base,
                job.succeeded()
                        ? String.format(Locale.ROOT, "%.0f s", job.jctSeconds())
                        : job.finalStatus().toLowerCase(Locale.ROOT));
        for (DemoResult.Span span : job.spans()) {
            double high = Math.max(2, BAND * span.vcores() / most);
            double wide = Math.max(0.8, (span.toSeconds() - span.fromSeconds()) * scale);
            rect(index, x(span.fromSeconds()), base - high, wide, high, describe(job, span));
            if (wide > ROOM) {
                text("held", x(span.fromSeconds()) + wide / 2, base - high - 2, Integer.toString(span.vcores()));
            }
        }
    }

    private static String describe(DemoResult.Job job, DemoResult.Span span) {
        return String.format(
                Locale.ROOT,
                "%s: %d GPUs and %d vcores on %s, %.0f s to %.0f s",
                job.name(),
                span.gpus(),
                span.vcores(),
                String.join(", ", span.nodes()),
                span.fromSeconds(),
                span.toSeconds());
    }

    /** One upon the other, in the order of the lanes, for each stretch of time in which nothing changes. */
    private void gpus(int total, double base) {
        text("lane", 2, base - GPUS + 10, "GPUs in use");
        text("note", 2, base - GPUS + 23, "of " + total);
        text("scale", LEFT - 5, base - GPUS + 4, Integer.toString(total));
        text("scale", LEFT - 5, base, "0");
        List<Double> changes = new ArrayList<>();
        jobs.forEach(job -> job.spans().forEach(span -> {
            changes.add(span.fromSeconds());
            changes.add(span.toSeconds());
        }));
        List<Double> times =
                changes.stream().distinct().sorted(Comparator.naturalOrder()).toList();
        for (int i = 0; i + 1 < times.size(); i++) {
            stack(times.get(i), times.get(i + 1), total, base);
        }
        line("limit", LEFT, base - GPUS, RIGHT, base - GPUS);
        line("life", LEFT, base, RIGHT, base);
    }

    private void stack(double from, double to, int total, double base) {
        double y = base;
        for (int job = 0; job < jobs.size(); job++) {
            for (DemoResult.Span span : jobs.get(job).spans()) {
                if (span.fromSeconds() <= from && span.toSeconds() >= to) {
                    double high = GPUS * span.gpus() / total;
                    y -= high;
                    svg.append(String.format(
                            Locale.ROOT,
                            "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                            job % COLOURS,
                            x(from),
                            y,
                            // Rounded coordinates leave no gap to the next stretch.
                            (to - from) * scale + 0.2,
                            high));
                }
            }
        }
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

    private void text(String kind, double x, double y, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", kind, x, y, Html.escape(text)));
    }

    private void rect(int index, double x, double y, double wide, double high, String title) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                index % COLOURS,
                x,
                y,
                wide,
                high,
                Html.escape(title)));
    }
}
