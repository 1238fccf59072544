// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.report.CurvePage;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** {@code plan.html}: the answer, each goal's figure over the number of nodes, and all points. */
final class PlanPage {
    private static final int FIGURE = 0;
    private static final int GOAL = 1;
    private static final int CHOSEN = 2;
    private static final List<String> NAMES = List.of("simulated", "goal", "chosen");

    private PlanPage() {}

    static String html(PlanResult result) {
        CurvePage page = new CurvePage("Treadle plan", NAMES)
                .opening(result.answer())
                .text(result.what() + ". Goals: "
                        + result.goals().stream().map(Goal::text).collect(Collectors.joining("; ")) + ".");
        for (PlanResult.Curve curve : result.curves()) {
            List<Curves> plots = result.find().equals("policy") ? List.of() : plots(curve);
            String id = curve.partition().isEmpty()
                    ? "plan"
                    : "plan-" + result.curves().indexOf(curve);
            String heading = curve.partition().isEmpty() ? "Goals over the number of nodes" : curve.partition();
            if (!plots.isEmpty()) {
                page.plots(id, heading, plots);
            }
            int chosen = curve.chosen().map(curve.points()::indexOf).orElse(-1);
            page.table(id + "-points", "All that was simulated", PlanTable.rows(result, curve), chosen);
        }
        return page.text(
                        "Wait: all time in which a job did not run. JCT, job completion time: from submission to end. Slowdown:"
                                + " completion time over run time on its share, from 10 s on. A goal holds where the figure is below"
                                + " its line, for utilization above it."
                                + (result.isPriced()
                                        ? " Costs are those of all GPUs, whether they are used or not; a month has 730 hours;"
                                                + " per job: until the last job has ended, over the jobs."
                                        : ""))
                .html();
    }

    /** One for each goal of which a finite figure is known. */
    private static List<Curves> plots(PlanResult.Curve curve) {
        List<Curves> plots = new ArrayList<>();
        for (Goal goal : curve.goals()) {
            List<Point> known = curve.points().stream()
                    .filter(point -> point.figure(goal).isPresent()
                            && Double.isFinite(point.figure(goal).getAsDouble()))
                    .sorted(Comparator.comparingInt(Point::nodes))
                    .toList();
            if (known.isEmpty()) {
                continue;
            }
            List<Double> sizes =
                    known.stream().map(point -> (double) point.nodes()).toList();
            List<Curves.Curve> curves = new ArrayList<>();
            curves.add(new Curves.Curve(
                    FIGURE,
                    sizes,
                    known.stream()
                            .map(point -> point.figure(goal).getAsDouble())
                            .toList()));
            curves.add(new Curves.Curve(
                    GOAL, sizes, sizes.stream().map(size -> goal.bound()).toList()));
            curve.chosen()
                    .ifPresent(point -> curves.add(new Curves.Curve(
                            CHOSEN,
                            List.of((double) point.nodes()),
                            List.of(point.figure(goal).orElseThrow()))));
            plots.add(new Curves(goal.text() + ", over the number of nodes", scale(goal), curves));
        }
        return plots;
    }

    private static Curves.Scale scale(Goal goal) {
        return switch (goal.measure()) {
            case WAIT, JCT, MAKESPAN -> Curves.Scale.TIME;
            case SLOWDOWN -> Curves.Scale.NUMBER;
            case UTILIZATION -> Curves.Scale.SHARE;
        };
    }
}
