// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;

/** {@code report.html}: one page that needs nothing else, not even the network; curves and tables without scripts. */
final class ReportPage {
    private static final List<String> SCRIPTS =
            List.of("words.js", "data.js", "replay.js", "grid.js", "story.js", "plots.js", "page.js");

    private final ReportSubject subject;
    private final JobColumns jobs;
    private final String packedJobs;
    private final List<PolicyFigures> policies;
    private final StringBuilder page = new StringBuilder();

    ReportPage(ReportSubject subject, JobColumns jobs, String packedJobs, List<PolicyFigures> policies) {
        this.subject = subject;
        this.jobs = jobs;
        this.packedJobs = packedJobs;
        this.policies = policies;
    }

    String html() {
        page.append("<h1>Treadle simulation</h1>\n");
        page.append(new OpeningSection(subject, policies).html());
        page.append(PolicyTable.html(policies));
        page.append(
                "<p class=\"note\">JCT, job completion time: from submission to end. Wait: all time in which a job did"
                        + " not run. Fragmentation: share of the free GPU time on nodes on which something ran. Effective: share of all GPU time that work took at the best speed that is known of it. ρ: finish-time fairness, below.</p>\n");
        page.append(new CompletionSection(policies).html())
                .append(QueuesSection.html(policies))
                .append(new TimeSection(subject, policies).html())
                .append(new GridSection(subject, jobs, policies).html())
                .append(SlowdownSection.html(policies))
                .append(new DetailsSection(policies).html());
        return PageShell.html(
                "Treadle simulation: " + subject.trace(),
                page.toString(),
                PageData.html(subject, jobs, packedJobs, policies),
                SCRIPTS);
    }
}
