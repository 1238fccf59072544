// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.result.SummaryTable;
import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The points of a plan as tables of texts. */
final class PlanTable {
    private static final double HOURS_OF_MONTH = 730;

    private PlanTable() {}

    /** For a terminal. */
    static String text(PlanResult result) {
        StringBuilder text = new StringBuilder();
        for (PlanResult.Curve curve : result.curves()) {
            text.append(curve.heading().isEmpty() ? "" : curve.heading() + "\n")
                    .append(TextTable.of(rows(result, curve)))
                    .append('\n');
        }
        return text.append(result.answer()).append('\n').toString();
    }

    /** The first row is the head. */
    static List<List<String>> rows(PlanResult result, PlanResult.Curve curve) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(
                curve.queue().isEmpty()
                        ? List.of("nodes", "policy", "GPUs")
                        : List.of("capacity", "the others", "policy", "sure GPUs"));
        curve.goals().forEach(goal -> head.add(goal.subject()));
        head.addAll(List.of("GPU use", "makespan", "goals"));
        if (result.isPriced()) {
            head.addAll(List.of("per hour", "per month", "per job", "per used GPU-hour"));
        }
        rows.add(head);
        curve.all().forEach(point -> rows.add(row(result, curve, point)));
        return rows;
    }

    private static List<String> row(PlanResult result, PlanResult.Curve curve, Point point) {
        List<String> row = new ArrayList<>(curve.queue()
                .map(queue -> size(queue, point))
                .orElseGet(() -> List.of(
                        String.format(Locale.ROOT, "%,d", point.nodes()),
                        point.policy(),
                        point.figures() == null ? "–" : String.format(Locale.ROOT, "%,d", point.gpus()))));
        for (Goal goal : curve.goals()) {
            OptionalDouble figure = point.figure(goal);
            row.add(figure.isPresent() ? goal.shown(figure.getAsDouble()) : "–");
        }
        Figures figures = point.figures();
        row.add(figures == null ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * figures.utilization()));
        row.add(
                figures == null || Double.isInfinite(figures.makespanSeconds())
                        ? "–"
                        : SummaryTable.time(figures.makespanSeconds()));
        row.add(figures == null ? "too small" : goals(result, curve, point));
        if (result.isPriced()) {
            row.add(figures == null ? "–" : money(point.perHour()));
            row.add(figures == null ? "–" : money(perMonth(point)));
            row.add(point.perJob().isPresent() ? money(point.perJob().getAsDouble()) : "–");
            row.add(
                    point.perUsedGpuHour().isPresent()
                            ? money(point.perUsedGpuHour().getAsDouble())
                            : "–");
        }
        return row;
    }

    private static List<String> size(String queue, Point point) {
        Shares shares = point.candidate().shares();
        Shares.Share own = shares.of(queue);
        return List.of(
                Shares.shown(own.percent()),
                shares.without(queue).shortText(),
                point.policy(),
                String.format(Locale.ROOT, "%,d", own.gpus()));
    }

    private static String goals(PlanResult result, PlanResult.Curve curve, Point point) {
        String text = point.meets(curve.goals()) ? "met" : "missed";
        // A simulation of one partition alone knows nothing of the others' goals.
        if (curve.queue().isPresent() && point.meets(curve.goals()) && !point.meets(result.goals())) {
            text += ", others missed";
        }
        if (curve.now().filter(point::equals).isPresent()) {
            text += ", now";
        }
        return curve.chosen().filter(point::equals).isPresent() ? text + ", chosen" : text;
    }

    static double perMonth(Point point) {
        return point.perHour() * HOURS_OF_MONTH;
    }

    private static String money(double value) {
        return String.format(Locale.ROOT, value >= 1000 ? "%,.0f" : value >= 1 ? "%.2f" : "%.4f", value);
    }
}
