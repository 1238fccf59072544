// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SummaryTable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was replayed on what, and which policy did best. */
final class OpeningSection {
    private final ReportSubject subject;
    private final List<PolicyFigures> policies;
    private final StringBuilder page = new StringBuilder();

    OpeningSection(ReportSubject subject, List<PolicyFigures> policies) {
        this.subject = subject;
        this.policies = policies;
    }

    String html() {
        long gpus = subject.cluster().capacity().gpus();
        int partitions = subject.cluster().partitions().size();
        page.append("<p class=\"big\">");
        best().ifPresent(text -> page.append(Html.escape(text)).append(' '));
        page.append("</p>\n<p>Replayed: ")
                .append(Html.count(subject.jobs().size()))
                .append(" jobs of ")
                .append(Html.escape(subject.trace()))
                .append(" on ")
                .append(Html.escape(subject.cluster().name()))
                .append(", ")
                .append(Html.count(subject.cluster().nodes()))
                .append(" nodes with ")
                .append(Html.count(gpus))
                .append(" GPUs")
                .append(partitions == 1 ? "" : " in " + partitions + " partitions")
                .append('.')
                .append(offered(gpus))
                .append(subject.settings().isEmpty() ? "" : " Settings: " + Html.escape(subject.settings()) + ".");
        long counted = policies.get(0).summary().jobs();
        page.append(
                counted == subject.jobs().size()
                        ? ""
                        : " Figures are of the " + Html.count(counted) + " jobs that were to be measured.");
        return page.append("</p>\n").toString();
    }

    /** What the trace asks for against what there is. */
    private String offered(long gpus) {
        long span = subject.jobs().get(subject.jobs().size() - 1).submitMs()
                - subject.jobs().get(0).submitMs();
        double asked = subject.jobs().stream()
                .mapToDouble(job -> job.gpus() * job.work().seconds())
                .sum();
        return span <= 0 || asked <= 0 || gpus == 0
                ? ""
                : " They ask for " + Html.percent(asked / (gpus * (span / 1000.0)))
                        + " of the GPU time between the first submission and the last.";
    }

    private Optional<String> best() {
        List<PolicyFigures> known = policies.stream()
                .filter(policy -> policy.summary().avgJctSeconds() != null)
                .sorted(Comparator.comparingDouble(OpeningSection::meanJct))
                .toList();
        if (known.size() < 2 || meanJct(known.get(0)) == meanJct(known.get(known.size() - 1))) {
            return Optional.empty();
        }
        PolicyFigures first = known.get(0);
        PolicyFigures last = known.get(known.size() - 1);
        return Optional.of(String.format(
                Locale.ROOT,
                "Jobs are done soonest under %s: after %s on average, %.2f times as soon as under %s (%s).",
                first.summary().policy(),
                SummaryTable.time(meanJct(first)),
                meanJct(last) / meanJct(first),
                last.summary().policy(),
                SummaryTable.time(meanJct(last))));
    }

    private static double meanJct(PolicyFigures policy) {
        Double mean = policy.summary().avgJctSeconds();
        return mean == null ? Double.NaN : mean;
    }
}
