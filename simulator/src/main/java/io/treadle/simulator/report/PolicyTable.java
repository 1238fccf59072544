// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SummaryTable;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of policies, the best figure of each column in bold. */
final class PolicyTable {
    private record Figure(
            String name,
            boolean moreIsBetter,
            Function<PolicyFigures, OptionalDouble> of,
            DoubleFunction<String> text) {
        static Figure time(String name, Function<PolicyFigures, OptionalDouble> of) {
            return new Figure(name, false, of, SummaryTable::time);
        }

        static Figure mark(String name, Function<Summary, @Nullable Double> of) {
            return time(name, policy -> optional(of.apply(policy.summary())));
        }
    }

    private static final List<Figure> FIGURES = List.of(
            Figure.mark("mean JCT", Summary::avgJctSeconds),
            Figure.mark("p50", Summary::p50JctSeconds),
            Figure.mark("p95", Summary::p95JctSeconds),
            Figure.mark("p99", Summary::p99JctSeconds),
            Figure.mark("mean wait", Summary::avgQueueSeconds),
            Figure.time("p95", PolicyFigures::p95WaitSeconds),
            Figure.time("p99", PolicyFigures::p99WaitSeconds),
            Figure.mark("makespan", Summary::makespanSeconds),
            new Figure(
                    "GPU time used",
                    true,
                    policy -> OptionalDouble.of(policy.summary().gpuUtilization()),
                    Html::percent),
            new Figure(
                    "fragmen\u00adtation",
                    false,
                    policy -> OptionalDouble.of(policy.summary().fragmentation()),
                    Html::percent),
            new Figure(
                    "pre\u00ademptions",
                    false,
                    policy -> OptionalDouble.of(policy.summary().preemptions()),
                    value -> Html.count(Math.round(value))),
            new Figure(
                    "migrations",
                    false,
                    policy -> OptionalDouble.of(policy.summary().migrations()),
                    value -> Html.count(Math.round(value))));

    private PolicyTable() {}

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    static String html(List<PolicyFigures> policies) {
        StringBuilder html = new StringBuilder(
                "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table of policies\"><table id=\"policies\"><thead><tr><th scope=\"col\">policy</th>");
        FIGURES.forEach(figure -> html.append("<th scope=\"col\">")
                .append(Html.escape(figure.name()))
                .append("</th>"));
        html.append("</tr></thead><tbody>\n");
        for (PolicyFigures policy : policies) {
            html.append("<tr><th scope=\"row\">")
                    .append(Html.escape(policy.summary().policy()))
                    .append("</th>");
            FIGURES.forEach(figure -> cell(html, figure, policy, policies));
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    private static void cell(StringBuilder html, Figure figure, PolicyFigures policy, List<PolicyFigures> policies) {
        OptionalDouble value = figure.of().apply(policy);
        String text = value.isPresent() ? figure.text().apply(value.getAsDouble()) : "–";
        html.append("<td>").append(isBest(figure, value, policies) ? "<b>" + text + "</b>" : text);
        html.append("</td>");
    }

    /** Where all are the same, or there is but one, none is best. */
    private static boolean isBest(Figure figure, OptionalDouble value, List<PolicyFigures> policies) {
        double[] all = policies.stream()
                .map(figure.of())
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sorted()
                .toArray();
        if (value.isEmpty() || all[0] == all[all.length - 1]) {
            return false;
        }
        return Objects.equals(value.getAsDouble(), figure.moreIsBetter() ? all[all.length - 1] : all[0]);
    }
}
