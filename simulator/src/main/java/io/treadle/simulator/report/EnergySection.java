// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.Summary;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** What each policy drew in all, over time, and for whom; nothing where nobody knows what the cluster draws. */
final class EnergySection {
    private static final double JOULES_PER_KWH = 3.6e6;
    /** Of means of the same, relative. */
    private static final double ROUNDING = 1e-9;
    /** Rows of a table that people read. */
    private static final int MOST_ROWS = 30;

    private final List<PolicyFigures> policies;
    private final StringBuilder page = new StringBuilder();

    EnergySection(List<PolicyFigures> policies) {
        this.policies = policies;
    }

    String html() {
        if (policies.stream().anyMatch(policy -> policy.draw().isEmpty())) {
            return "";
        }
        page.append("<section id=\"energy\"><h2>Energy</h2>");
        totals();
        overTime();
        budgets();
        groups("Energy by queue", Draws::byQueue);
        groups("Energy by user", Draws::byUser);
        return page.append(
                        "<p class=\"note\">All nodes with all GPUs, also those that nobody uses. Energy of jobs is that"
                                + " of their GPUs and their part, by GPUs, of what their nodes draw beside; the rest is of GPUs"
                                + " that nobody held. The budget is what policies that look at it keep to.</p></section>\n")
                .toString();
    }

    private void totals() {
        head("Energy", List.of("energy", "mean draw", "peak draw of a minute", "mean budget", "of jobs"));
        for (PolicyFigures policy : policies) {
            Draw draw = draw(policy);
            Summary summary = policy.summary();
            double kwh = summary.energyKwh() == null ? 0 : summary.energyKwh();
            double ofJobs = Arrays.stream(draw.jobJoules()).sum() / JOULES_PER_KWH;
            page.append("<tr><th scope=\"row\">")
                    .append(Html.escape(summary.policy()))
                    .append("</th>");
            cell(kwh(kwh));
            cell(watts(draw.meanWatts()));
            cell(summary.peakWatts() == null ? "–" : watts(summary.peakWatts()));
            cell(budget(draw));
            cell(kwh == 0 ? "–" : Html.percent(ofJobs / kwh));
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div>\n");
    }

    /** Weighted alike: stretches are of one length but for the last. */
    private static String budget(Draw draw) {
        return draw.hasLimit()
                ? watts(Arrays.stream(draw.limitWatts())
                        .filter(Double::isFinite)
                        .average()
                        .orElse(0))
                : "–";
    }

    private void overTime() {
        double end = policies.stream()
                .flatMapToDouble(policy -> Arrays.stream(draw(policy).seconds()))
                .max()
                .orElse(1);
        double most = policies.stream()
                .flatMapToDouble(policy -> DoubleStream.concat(
                        Arrays.stream(draw(policy).watts()),
                        Arrays.stream(draw(policy).limitWatts()).filter(Double::isFinite)))
                .max()
                .orElse(1);
        LinePlot plot = new LinePlot(
                "Draw of all nodes over time, W, one curve for each policy, and the budget",
                Axis.time(end),
                Axis.number(most));
        for (int i = 0; i < policies.size(); i++) {
            plot.curve(i, draw(policies.get(i)).seconds(), draw(policies.get(i)).watts());
        }
        limits().forEach(draw -> plot.limit(draw.seconds(), draw.limitWatts()));
        page.append(Series.legend(policies.stream()
                        .map(policy -> policy.summary().policy())
                        .toList()))
                .append("<figure><figcaption>Draw, W")
                .append(limits().isEmpty() ? "" : "; the dotted line is the budget")
                .append("</figcaption>")
                .append(plot.html("low"))
                .append("</figure>\n");
    }

    /** Those with a limit; where it is the same at all times for all of them, the longest alone. */
    private List<Draw> limits() {
        List<Draw> limited = policies.stream()
                .map(EnergySection::draw)
                .filter(Draw::hasLimit)
                .sorted(Comparator.comparingDouble((Draw draw) -> draw.seconds()[draw.seconds().length - 1])
                        .reversed())
                .toList();
        DoubleSummaryStatistics all = limited.stream()
                .flatMapToDouble(draw -> Arrays.stream(draw.limitWatts()))
                .summaryStatistics();
        return all.getMax() - all.getMin() < ROUNDING * all.getMax() ? limited.subList(0, 1) : limited;
    }

    /** What the GPUs of queues' jobs drew, where queues have budgets. */
    private void budgets() {
        for (PolicyFigures policy : policies) {
            if (policy.summary().queueDraws().isEmpty()) {
                continue;
            }
            head(
                    "GPUs of the jobs of queues under " + policy.summary().policy(),
                    List.of("budget", "mean draw", "most at any moment", "energy"));
            for (Summary.QueueDraw queue : policy.summary().queueDraws()) {
                page.append("<tr><th scope=\"row\">")
                        .append(Html.escape(queue.queue()))
                        .append("</th>");
                cell(queue.budgetWatts() == null ? "–" : watts(queue.budgetWatts()));
                cell(watts(queue.meanWatts()));
                cell(watts(queue.mostWatts()));
                cell(kwh(queue.energyKwh()));
                page.append("</tr>\n");
            }
            page.append("</tbody></table></div>\n");
        }
    }

    private void groups(String title, Function<Draws, Map<String, Double>> of) {
        List<Map<String, Double>> joules =
                policies.stream().map(policy -> of.apply(policy.draws())).toList();
        if (joules.get(0).size() < 2) {
            return;
        }
        page.append("<details><summary>").append(title).append("</summary>");
        head(title, policies.stream().map(policy -> policy.summary().policy()).toList());
        List<String> names = joules.get(0).entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
        for (String name : names.subList(0, Math.min(MOST_ROWS, names.size()))) {
            page.append("<tr><th scope=\"row\">").append(Html.escape(name)).append("</th>");
            joules.forEach(group -> cell(kwh(group.getOrDefault(name, 0.0) / JOULES_PER_KWH)));
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div>");
        if (names.size() > MOST_ROWS) {
            page.append("<p class=\"note\">")
                    .append(Html.count(names.size() - MOST_ROWS))
                    .append(" of less energy are left out here.</p>");
        }
        page.append("</details>\n");
    }

    private void head(String title, List<String> columns) {
        page.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .append(Html.escape(title))
                .append("\"><table><thead><tr><th scope=\"col\"></th>");
        columns.forEach(column ->
                page.append("<th scope=\"col\">").append(Html.escape(column)).append("</th>"));
        page.append("</tr></thead><tbody>\n");
    }

    private void cell(String text) {
        page.append("<td>").append(text).append("</td>");
    }

    private static Draw draw(PolicyFigures policy) {
        return policy.draw().orElseThrow();
    }

    private static String watts(double watts) {
        return watts >= 10_000 ? Html.figure(watts / 1000) + " kW" : Html.figure(watts) + " W";
    }

    private static String kwh(double kwh) {
        return Html.figure(kwh) + " kWh";
    }
}
