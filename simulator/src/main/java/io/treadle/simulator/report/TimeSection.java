// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SummaryTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Curves of what was in use, waited and ran over time. */
final class TimeSection {
    private final ReportSubject subject;
    private final List<PolicyFigures> policies;
    private final List<String> names;
    private final StringBuilder page = new StringBuilder();

    TimeSection(ReportSubject subject, List<PolicyFigures> policies) {
        this.subject = subject;
        this.policies = policies;
        names = policies.stream().map(policy -> policy.summary().policy()).toList();
    }

    String html() {
        double gpus = subject.cluster().capacity().gpus();
        Map<String, Function<PolicyFigures, double[]>> plots = new LinkedHashMap<>();
        plots.put("GPUs in use, share of all", policy -> scaled(policy.series().usedGpus(), gpus));
        plots.put("Jobs waiting", policy -> policy.series().pending());
        plots.put("Jobs running", policy -> policy.series().running());
        plots.put("GPUs in use on a node in use", policy -> policy.series().usedGpusPerUsedNode());
        double end = policies.stream()
                .mapToDouble(p -> p.series().stretches() * p.series().stretchSeconds())
                .max()
                .orElse(1);
        page.append("<section id=\"time\"><h2>Over time</h2>").append(Series.legend(names));
        page.append("<div class=\"four\">");
        plots.forEach((title, of) -> {
            double most = policies.stream()
                    .flatMapToDouble(policy -> Arrays.stream(of.apply(policy)))
                    .max()
                    .orElse(1);
            Axis y = title.endsWith("share of all") ? Axis.share() : Axis.number(most);
            LinePlot plot = new LinePlot(title + " over time, one curve for each policy", Axis.time(end), y);
            for (int i = 0; i < policies.size(); i++) {
                plot.curve(i, policies.get(i).series().seconds(), of.apply(policies.get(i)));
            }
            page.append("<figure><figcaption>")
                    .append(Html.escape(title))
                    .append("</figcaption>")
                    .append(plot.html("low"))
                    .append("</figure>");
        });
        return page.append(
                        "</div><p class=\"note\">Time since the first submission. Each point is the mean over a stretch: ")
                .append(Html.escape(stretches()))
                .append(".</p></section>\n")
                .toString();
    }

    private String stretches() {
        List<String> lengths = policies.stream()
                .map(policy -> SummaryTable.time(policy.series().stretchSeconds()))
                .distinct()
                .toList();
        return lengths.size() == 1
                ? lengths.get(0)
                : policies.stream()
                        .map(policy -> SummaryTable.time(policy.series().stretchSeconds()) + " under "
                                + policy.summary().policy())
                        .collect(Collectors.joining(", "));
    }

    private static double[] scaled(double[] values, double whole) {
        return Arrays.stream(values)
                .map(value -> whole == 0 ? 0 : value / whole)
                .toArray();
    }
}
