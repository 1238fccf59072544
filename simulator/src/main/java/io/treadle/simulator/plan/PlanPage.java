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
    private static final int NOW = 3;
    private static final List<String> NAMES = List.of("simulated", "goal", "chosen", "now");

    private PlanPage() {}

    static String html(PlanResult result) {
        boolean hasNow = result.curves().stream().anyMatch(curve -> curve.now().isPresent());
        CurvePage page = new CurvePage("Treadle plan", hasNow ? NAMES : NAMES.subList(0, NOW))
                .opening(result.answer())
                .text(result.what() + ". Goals: "
                        + result.goals().stream().map(Goal::text).collect(Collectors.joining("; ")) + ".");
        for (PlanResult.Curve curve : result.curves()) {
            List<Curves> plots = result.find().equals("policy") ? List.of() : plots(curve);
            String id = curve.heading().isEmpty()
                    ? "plan"
                    : "plan-" + result.curves().indexOf(curve);
            String heading = curve.heading().isEmpty() ? "Goals over the number of nodes" : curve.heading();
            if (!plots.isEmpty()) {
                page.plots(id, heading, plots);
            }
            int chosen = curve.chosen().map(curve.all()::indexOf).orElse(-1);
            page.table(id + "-points", simulated(curve), PlanTable.rows(result, curve), chosen);
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

    private static String simulated(PlanResult.Curve curve) {
        return curve.queue()
                .map(queue -> "What was simulated for queue " + queue)
                .orElse("All that was simulated");
    }

    /** One for each goal of which a finite figure is known. */
    private static List<Curves> plots(PlanResult.Curve curve) {
        List<Curves> plots = new ArrayList<>();
        for (Goal goal : curve.goals()) {
            List<Point> known = curve.points().stream()
                    .filter(point -> point.figure(goal).isPresent()
                            && Double.isFinite(point.figure(goal).getAsDouble()))
                    .sorted(Comparator.comparingDouble(curve::size))
                    .toList();
            if (known.isEmpty()) {
                continue;
            }
            List<Double> sizes = known.stream().map(curve::size).toList();
            List<Curves.Curve> curves = new ArrayList<>();
            curves.add(new Curves.Curve(
                    FIGURE,
                    sizes,
                    known.stream()
                            .map(point -> point.figure(goal).getAsDouble())
                            .toList()));
            curves.add(new Curves.Curve(
                    GOAL, sizes, sizes.stream().map(size -> goal.bound()).toList()));
            curve.chosen().ifPresent(point -> curves.add(dot(CHOSEN, curve, goal, point)));
            curve.now()
                    .filter(point -> Double.isFinite(point.figure(goal).orElse(Double.NaN)))
                    .ifPresent(point -> curves.add(dot(NOW, curve, goal, point)));
            String over = curve.queue().isEmpty() ? "the number of nodes" : "its capacity in %";
            plots.add(new Curves(goal.text() + ", over " + over, scale(goal), curves));
        }
        return plots;
    }

    private static Curves.Curve dot(int name, PlanResult.Curve curve, Goal goal, Point point) {
        return new Curves.Curve(
                name, List.of(curve.size(point)), List.of(point.figure(goal).orElseThrow()));
    }

    private static Curves.Scale scale(Goal goal) {
        return switch (goal.measure()) {
            case WAIT, JCT, MAKESPAN -> Curves.Scale.TIME;
            case SLOWDOWN -> Curves.Scale.NUMBER;
            case UTILIZATION -> Curves.Scale.SHARE;
        };
    }
}
