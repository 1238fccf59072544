// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SummaryTable;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Tables of all groups, and how the page thins out. */
final class DetailsSection {
    private final List<PolicyFigures> policies;
    private final StringBuilder page = new StringBuilder();

    DetailsSection(List<PolicyFigures> policies) {
        this.policies = policies;
    }

    String html() {
        page.append("<section id=\"details\"><h2>Details</h2>");
        table("Queues", PolicyFigures::queues);
        table("Sizes, GPUs of a job", PolicyFigures::sizes);
        table("Run times", PolicyFigures::lengths);
        return page.append("<details><summary>How this page thins out</summary><p>A completion time curve has at most ")
                .append(PolicyFigures.CURVE_POINTS)
                .append(" points at equal shares of jobs, a curve over time ")
                .append(PolicyFigures.STRETCHES)
                .append(
                        " exact means over stretches of equal length. The tables here and summary.json are of all jobs."
                                + " The files beside this page hold everything: jobs-&lt;policy&gt;.csv, events-&lt;policy&gt;.jsonl,"
                                + " groups-&lt;policy&gt;.csv, and trace-&lt;policy&gt;.json for ui.perfetto.dev.</p></details></section>\n")
                .toString();
    }

    private void table(String title, Function<PolicyFigures, List<Groups.Group>> groups) {
        if (groups.apply(policies.get(0)).isEmpty()) {
            return;
        }
        page.append("<details><summary>")
                .append(Html.escape(title))
                .append("</summary><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .append(Html.escape(title))
                .append(
                        "\"><table><thead><tr><th scope=\"col\">group</th><th scope=\"col\" class=\"left\">policy</th>");
        for (String head : List.of(
                "jobs", "mean JCT", "p50", "p95", "mean wait", "p50", "p95", "mean slow\u00addown", "stops", "moves")) {
            page.append("<th scope=\"col\">").append(head).append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
        List<String> order =
                groups.apply(policies.get(0)).stream().map(Groups.Group::name).toList();
        for (String name : order) {
            for (PolicyFigures policy : policies) {
                groups.apply(policy).stream()
                        .filter(group -> group.name().equals(name))
                        .forEach(group -> row(policy, group));
            }
        }
        page.append("</tbody></table></div></details>\n");
    }

    private void row(PolicyFigures policy, Groups.Group group) {
        page.append("<tr><th scope=\"row\">").append(Html.escape(group.name()));
        page.append("</th><td class=\"left\">")
                .append(Html.escape(policy.summary().policy()));
        page.append("</td><td>").append(Html.count(group.jobs())).append("</td>");
        ToDoubleFunction<OptionalDouble> none = value -> value.orElse(Double.NaN);
        for (Groups.Statistic statistic : List.of(group.jctSeconds(), group.waitSeconds())) {
            time(none.applyAsDouble(statistic.mean()));
            time(none.applyAsDouble(statistic.quantiles().at(0.5)));
            time(none.applyAsDouble(statistic.quantiles().at(0.95)));
        }
        double slowdown = none.applyAsDouble(group.slowdown().mean());
        page.append("<td>")
                .append(Double.isNaN(slowdown) ? "–" : Html.times(slowdown))
                .append("</td><td>");
        page.append(Html.count(group.stops())).append("</td><td>").append(Html.count(group.moves()));
        page.append("</td></tr>\n");
    }

    private void time(double seconds) {
        page.append("<td>")
                .append(SummaryTable.time(Double.isNaN(seconds) ? null : seconds))
                .append("</td>");
    }
}
