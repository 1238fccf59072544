// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A plot of numbers over numbers, for {@link CurvePage}.
 *
 * @param title what it shows, unit included
 * @param scale how values are drawn
 * @param curves at least one; where several have points, they have them over the same numbers
 */
public record Curves(String title, Scale scale, List<Curve> curves) {
    /** How values are drawn. */
    public enum Scale {
        /** Seconds, in the units that people use. */
        TIME,
        /** From 0 to 1. */
        SHARE,
        /** From 0, or on a logarithmic scale where they differ much. */
        NUMBER,
        /** Above 0, on a logarithmic scale. */
        POWERS
    }

    /**
     * One of them.
     *
     * @param name its place in the legend
     * @param xs rising
     * @param ys as many
     * @param margins by how much each may be off to either side, as many; empty where nobody says
     */
    public record Curve(int name, List<Double> xs, List<Double> ys, List<Double> margins) {
        public Curve {
            xs = List.copyOf(xs);
            ys = List.copyOf(ys);
            margins = List.copyOf(margins);
        }

        /** One of which nobody says how sure it is. */
        public Curve(int name, List<Double> xs, List<Double> ys) {
            this(name, xs, ys, List.of());
        }

        /** @param side 1 for the upper end of the margins, -1 for the lower */
        private double[] edge(int side) {
            return IntStream.range(0, ys.size())
                    .mapToDouble(i -> Math.max(0, ys.get(i) + side * margins.get(i)))
                    .toArray();
        }

        private double[] across() {
            return xs.stream().mapToDouble(x -> x).toArray();
        }

        private double[] up() {
            return ys.stream().mapToDouble(y -> y).toArray();
        }
    }

    /** From this ratio on sizes are set out by their ratios. */
    private static final double LEAST_LOG = 4;

    /** Values that differ by more are told apart on a logarithmic scale only. */
    private static final double MOST_EVEN = 20;
    /** Between the marks of an axis, of its length. */
    private static final double LEAST_ROOM = .1;

    public Curves {
        curves = List.copyOf(curves);
    }

    String html() {
        double[] across = curves.stream()
                .flatMapToDouble(curve -> DoubleStream.of(curve.across()))
                .distinct()
                .sorted()
                .toArray();
        LinePlot plot = new LinePlot(title, x(across), y()).snapping();
        for (Curve curve : curves) {
            if (!curve.margins().isEmpty()) {
                plot.band(curve.name(), curve.across(), curve.edge(-1), curve.edge(1));
            }
        }
        for (Curve curve : curves) {
            plot.curve(curve.name(), curve.across(), curve.up());
            plot.dots(curve.name(), curve.across(), curve.up());
        }
        return "<figure><figcaption>" + Html.escape(title) + "</figcaption>" + plot.html("mid") + "</figure>";
    }

    /** Marks are at values too, as far as there is room between them. */
    private static Axis x(double[] values) {
        double least = values[0];
        double most = values[values.length - 1];
        if (values.length == 1) {
            return Axis.of(new double[] {least, least + 1}, false);
        }
        boolean isLog = least > 0 && most / least >= LEAST_LOG;
        Axis whole = Axis.of(new double[] {least, most}, isLog);
        List<Double> marks = new ArrayList<>(List.of(least));
        for (double value : values) {
            double room = Math.min(whole.at(value) - whole.at(marks.get(marks.size() - 1)), 1 - whole.at(value));
            if (room >= LEAST_ROOM) {
                marks.add(value);
            }
        }
        marks.add(most);
        return Axis.of(marks.stream().mapToDouble(value -> value).toArray(), isLog);
    }

    private Axis y() {
        double least = up().min().orElse(0);
        double most = curves.stream()
                .flatMapToDouble(curve -> DoubleStream.of(curve.margins().isEmpty() ? curve.up() : curve.edge(1)))
                .max()
                .orElse(0);
        return switch (scale) {
            // Below a second nobody tells times apart.
            case TIME ->
                most / Math.max(1, least) > MOST_EVEN ? Axis.logTime(Math.max(1, least / 2), most) : Axis.time(most);
            case SHARE -> Axis.share();
            case NUMBER -> least > 0 && most / least > MOST_EVEN ? Axis.powers(least, most) : Axis.number(most);
            case POWERS -> Axis.powers(least, most);
        };
    }

    private DoubleStream up() {
        return curves.stream().flatMapToDouble(curve -> DoubleStream.of(curve.up()));
    }
}
