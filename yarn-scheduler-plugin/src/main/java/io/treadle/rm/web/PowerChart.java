// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.power.PowerHistory.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What the cluster drew over the last hour, against what it might draw. */
final class PowerChart {
    private static final long HOUR_MS = 3_600_000;
    /** Two samples further apart are not joined: the ResourceManager, or all nodes, were silent between. */
    private static final long GAP_MS = 60_000;

    private static final double WIDTH = 760;
    private static final double LEFT = 62;
    private static final double RIGHT = WIDTH - 14;
    private static final double TOP = 18;
    private static final double BASE = 148;
    private static final double HEIGHT = 176;

    private final TimeAxis axis;
    private final double most;
    private final StringBuilder svg = new StringBuilder(4096);

    private PowerChart(long nowMs, double most) {
        this.axis = new TimeAxis(nowMs - HOUR_MS, nowMs, LEFT, RIGHT);
        this.most = most;
    }

    /**
     * @param samples by time, at least one
     * @param nowMs right edge, ms since the epoch
     */
    static String svg(List<Sample> samples, long nowMs) {
        double most = Math.max(
                samples.stream().mapToDouble(Sample::watts).max().orElse(0),
                samples.stream()
                        .mapToDouble(s -> s.budgetWatts().orElse(0))
                        .max()
                        .orElse(0));
        PowerChart chart = new PowerChart(nowMs, above(1.08 * most));
        chart.frame(samples);
        chart.draw(samples);
        chart.budget(samples);
        return chart.svg.append("</svg>").toString();
    }

    /** The next round number. */
    private static double above(double watts) {
        double step = Math.pow(10, Math.floor(Math.log10(Math.max(1, watts))) - 1);
        return Math.max(1, Math.ceil(watts / step) * step);
    }

    private double y(double watts) {
        return BASE - (BASE - TOP) * watts / most;
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    private void frame(List<Sample> samples) {
        Sample last = samples.get(samples.size() - 1);
        add(
                "<svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Draw of all nodes over the last hour,"
                        + " now %s\">",
                WIDTH, HEIGHT, JobText.watts(last.watts()));
        for (long tick : axis.ticks()) {
            double x = axis.x(axis.fromMs() + tick);
            String ago = tick == HOUR_MS ? "now" : JobText.duration(HOUR_MS - tick) + " ago";
            add(
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\"/><text class=\"tick\" x=\"%.1f\" y=\"%.0f\">%s</text>",
                    x, x, TOP, BASE, Math.min(x, RIGHT - 2), HEIGHT - 10, ago);
        }
        add(
                "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                        + "<text class=\"scale\" x=\"%.0f\" y=\"%.1f\">%s</text><text class=\"scale\" x=\"%.0f\" y=\"%.1f\">0 W</text>",
                LEFT, RIGHT, BASE, BASE, LEFT - 6, TOP + 4, JobText.watts(most), LEFT - 6, BASE);
    }

    private void draw(List<Sample> samples) {
        for (List<Sample> run : runs(samples)) {
            StringBuilder points = new StringBuilder();
            for (Sample sample : run) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", axis.x(sample.atMs()), y(sample.watts())));
            }
            double from = axis.x(run.get(0).atMs());
            double to = axis.x(run.get(run.size() - 1).atMs());
            add("<polygon class=\"drawn\" points=\"%.1f,%.1f %s%.1f,%.1f\"/>", from, BASE, points, to, BASE);
            add("<polyline class=\"speed\" points=\"%s\"/>", points.toString().strip());
        }
    }

    private static List<List<Sample>> runs(List<Sample> samples) {
        List<List<Sample>> runs = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (Sample sample : samples) {
            if (runs.isEmpty() || sample.atMs() - before > GAP_MS) {
                runs.add(new ArrayList<>());
            }
            runs.get(runs.size() - 1).add(sample);
            before = sample.atMs();
        }
        return runs;
    }

    /** Level from each sample to the next; budgets change in steps. */
    private void budget(List<Sample> samples) {
        OptionalDouble named = OptionalDouble.empty();
        for (int i = 0; i < samples.size(); ) {
            OptionalDouble budget = samples.get(i).budgetWatts();
            int next = i;
            while (next < samples.size() && samples.get(next).budgetWatts().equals(budget)) {
                next++;
            }
            long until = next < samples.size() ? samples.get(next).atMs() : axis.toMs();
            if (budget.isPresent()) {
                double y = y(budget.getAsDouble());
                add(
                        "<line class=\"mark now\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"><title>budget %s</title></line>",
                        axis.x(samples.get(i).atMs()), axis.x(until), y, y, JobText.watts(budget.getAsDouble()));
                named = budget;
            }
            i = next;
        }
        if (named.isPresent()) {
            add(
                    "<text class=\"marktext\" text-anchor=\"end\" x=\"%.0f\" y=\"%.1f\">budget %s</text>",
                    RIGHT - 4, y(named.getAsDouble()) - 4, JobText.watts(named.getAsDouble()));
        }
    }
}
