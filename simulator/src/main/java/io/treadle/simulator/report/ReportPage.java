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

    ReportPage(ReportSubject subject, JobColumns jobs, String packedJobs, List<PolicyFigures> policies) {
        this.subject = subject;
        this.jobs = jobs;
        this.packedJobs = packedJobs;
        this.policies = policies;
    }

    String html() {
        String page = "<h1>Treadle simulation</h1>\n"
                + new OpeningSection(subject, policies).html()
                + PolicyTable.html(policies)
                + "<p class=\"note\">JCT, job completion time: from submission to end. Wait: all time in which a job did"
                + " not run. Effective: share of all GPU time that the work done takes at the best speed that is known"
                + " of it. Fragmentation: share of the free GPU time on nodes on which something ran. ρ: finish-time"
                + " fairness, see below.</p>\n"
                + new CompletionSection(policies).html()
                + UtilitySection.html(policies)
                + QueuesSection.html(policies)
                + new TimeSection(subject, policies).html()
                + new EnergySection(policies).html()
                + new GridSection(subject, jobs, policies).html()
                + SlowdownSection.html(policies)
                + new DetailsSection(policies).html();
        return PageShell.html(
                "Treadle simulation: " + subject.trace(),
                page,
                PageData.html(subject, jobs, packedJobs, policies),
                SCRIPTS);
    }
}
