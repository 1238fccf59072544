// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;
import java.util.function.Function;

/** Curves of how many jobs were done within a time, how fairly, and how well before their deadlines. */
final class CompletionSection {
    private final List<PolicyFigures> policies;
    private final List<String> names;
    private final StringBuilder page = new StringBuilder();

    CompletionSection(List<PolicyFigures> policies) {
        this.policies = policies;
        names = policies.stream().map(policy -> policy.summary().policy()).toList();
    }

    String html() {
        curves(
                "completion",
                "Jobs done within a time",
                "Share of jobs done within a time, one curve for each policy",
                PolicyFigures::jctSeconds,
                // Below a second nobody tells jobs apart.
                (least, most) -> Axis.logTime(Math.max(1, least), most),
                "Completion time, from submission to end, on a logarithmic scale.");
        curves(
                "fairness",
                "Finish-time fairness",
                "Share of jobs by finish-time fairness, one curve for each policy",
                PolicyFigures::fairness,
                Axis::logRatio,
                "Completion time over what it would be alone on an equal share of the cluster: one of as many parts as"
                        + " there were jobs while this one was there. At most 1 is fair (Themis, NSDI 2020);"
                        + " logarithmic scale.");
        curves(
                "deadlines",
                "Deadlines",
                "Share of jobs with a deadline by the part of the time up to it that they took, one curve for each"
                        + " policy",
                PolicyFigures::deadlineUse,
                Axis::logRatio,
                "Completion time over the time from submission to deadline, of jobs that have one: beyond 1 it was"
                        + " missed; logarithmic scale.");
        return page.toString();
    }

    private interface Scale {
        Axis of(double least, double most);
    }

    private void curves(
            String id,
            String heading,
            String title,
            Function<PolicyFigures, double[]> values,
            Scale scale,
            String note) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (PolicyFigures policy : policies) {
            double[] sorted = values.apply(policy);
            if (sorted.length > 0) {
                least = Math.min(least, sorted[0]);
                most = Math.max(most, sorted[sorted.length - 1]);
            }
        }
        if (most <= 0) {
            return;
        }
        LinePlot plot = new LinePlot(title, scale.of(least, most), Axis.share());
        for (int i = 0; i < policies.size(); i++) {
            double[] sorted = values.apply(policies.get(i));
            double[] shares = new double[sorted.length];
            for (int j = 0; j < sorted.length; j++) {
                shares[j] = (j + 1.0) / sorted.length;
            }
            plot.curve(i, sorted, shares);
        }
        page.append("<section id=\"")
                .append(id)
                .append("\"><h2>")
                .append(heading)
                .append("</h2>")
                .append(Series.legend(names))
                .append(plot.html("tall"))
                .append("<p class=\"note\">")
                .append(note)
                .append("</p></section>\n");
    }
}
