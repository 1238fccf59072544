// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SeedMean;
import io.treadle.simulator.result.SweepCell;
import io.treadle.simulator.result.SweepFigure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Plots of a sweep's figures over something that was swept, a curve for each policy with the means over seeds. */
final class SweepCurves {
    /** Times that differ by more are told apart on a logarithmic scale only. */
    private static final double MOST_EVEN = 20;
    /** From this ratio on sizes that double are set out evenly. */
    private static final double LEAST_LOG = 4;

    private static final double MARGIN = 1.5;

    private final List<String> policies;
    private final String over;
    private final ToDoubleFunction<SweepCell> at;
    private final List<SweepCell> cells;
    private final double[] values;

    /**
     * @param policies in the order of their colours
     * @param over what is swept, as people call it
     * @param at its value in a cell
     * @param cells those that differ in it and in their policy alone
     */
    SweepCurves(List<String> policies, String over, ToDoubleFunction<SweepCell> at, List<SweepCell> cells) {
        this.policies = policies;
        this.over = over;
        this.at = at;
        this.cells = cells;
        values = cells.stream().mapToDouble(at).distinct().sorted().toArray();
    }

    String html() {
        StringBuilder html = new StringBuilder("<div class=\"four\">");
        SweepFigure.ALL.forEach(figure -> html.append(figure(figure)));
        return html.append("</div>\n").toString();
    }

    private record Point(double at, double mean, double low, double high) {}

    private record Curve(int policy, List<Point> points) {
        double[] of(ToDoubleFunction<Point> value) {
            return points.stream().mapToDouble(value).toArray();
        }

        boolean isCertain() {
            return points.stream().allMatch(point -> point.low() == point.high());
        }
    }

    /** Empty where there is nothing to see. */
    private String figure(SweepFigure figure) {
        List<Curve> curves = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            curves.add(curve(i, figure));
        }
        double least = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.of(Point::mean)))
                .min()
                .orElse(0);
        double most = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.of(Point::high)))
                .max()
                .orElse(0);
        if (most <= 0) {
            return "";
        }
        LinePlot plot = new LinePlot(
                        figure.name() + " over " + over + ", one curve for each policy",
                        Axis.of(values, values[0] > 0 && values[values.length - 1] / values[0] >= LEAST_LOG),
                        axis(figure.kind(), least, most))
                .snapping();
        for (Curve curve : curves) {
            if (!curve.isCertain()) {
                plot.band(curve.policy(), curve.of(Point::at), curve.of(Point::low), curve.of(Point::high));
            }
        }
        for (Curve curve : curves) {
            plot.curve(curve.policy(), curve.of(Point::at), curve.of(Point::mean));
            plot.dots(curve.policy(), curve.of(Point::at), curve.of(Point::mean));
        }
        return "<figure><figcaption>" + Html.escape(figure.name()) + "</figcaption>" + plot.html("mid") + "</figure>";
    }

    private Curve curve(int policy, SweepFigure figure) {
        List<Point> points = new ArrayList<>();
        for (double value : values) {
            cells.stream()
                    .filter(cell -> cell.policy().equals(policies.get(policy)) && at.applyAsDouble(cell) == value)
                    .flatMap(cell -> figure.over(cell).stream())
                    .forEach(mean -> points.add(point(value, mean)));
        }
        return new Curve(policy, points);
    }

    private static Point point(double at, SeedMean mean) {
        return new Point(at, mean.mean(), Math.max(0, mean.mean() - mean.halfWidth()), mean.mean() + mean.halfWidth());
    }

    private static Axis axis(SweepFigure.Kind kind, double least, double most) {
        return switch (kind) {
            // Below a second nobody tells times apart. A band may end below the axis, not a curve.
            case TIME ->
                most / Math.max(1, least) > MOST_EVEN
                        ? Axis.logTime(Math.max(1, least / MARGIN), most)
                        : Axis.time(most);
            case SHARE -> Axis.share();
            case COUNT -> Axis.number(most);
        };
    }
}
