// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * All jobs that are not over and that the caller may view. What the scheduler knows of them comes with one request; the
 * pages of ApplicationMasters are read only for jobs of which it knows no progress, as services are.
 */
final class TopTable {
    private static final String ROW = "%-32s %-20.20s %-10.10s %-20.20s %-9s %5s %12s  %s%n";

    private final TreadleClient client;
    private final Console console;

    TopTable(TreadleClient client, Console console) {
        this.client = client;
        this.console = console;
    }

    /** Services are told more of below the table. */
    void print() {
        List<JobStatus> all = client.activeJobs();
        List<JobStatus> jobs = all.stream().filter(JobStatus::mayView).toList();
        SchedulerAnswer<Map<String, ScheduledJob>> answer = jobs.isEmpty()
                ? SchedulerAnswer.of(Map.of())
                : client.scheduler().jobs();
        Map<String, ScheduledJob> scheduled = answer.found().orElse(Map.of());
        StringBuilder services = new StringBuilder();
        console.out().printf(ROW, "application", "name", "user", "queue", "state", "done", "samples/s", "note");
        for (JobStatus job : jobs) {
            Optional<ScheduledJob> record =
                    Optional.ofNullable(scheduled.get(job.id().toString()));
            boolean isTold = record.map(r -> r.samplesPerSecond().isPresent()).orElse(false);
            JobStatus full = job.state() == YarnApplicationState.RUNNING && !isTold ? client.status(job.id()) : job;
            row(full, record, isTold);
            services.append(ServiceText.of(full));
        }
        console.out().print(services);
        footer(all.size(), all.size() - jobs.size(), answer);
    }

    private void row(JobStatus job, Optional<ScheduledJob> record, boolean isTold) {
        String state = isTold ? record.orElseThrow().state() : ProgressPrinter.stateOf(job);
        OptionalDouble speed = isTold
                ? record.orElseThrow().samplesPerSecond()
                : job.master()
                        .map(master -> OptionalDouble.of(master.samplesPerSecond()))
                        .orElse(OptionalDouble.empty());
        console.out()
                .printf(
                        ROW,
                        job.id(),
                        job.name(),
                        job.user(),
                        job.queue(),
                        state,
                        Math.round(job.progress() * 100) + " %",
                        speed.isPresent() ? String.format(Locale.ROOT, "%.1f", speed.getAsDouble()) : "–",
                        note(job, record, state, isTold));
    }

    /** Why it waits, in the scheduler's words; else what it is doing. */
    private static String note(JobStatus job, Optional<ScheduledJob> record, String state, boolean isTold) {
        String reason = record.map(ScheduledJob::reason).orElse("");
        if (state.equals(ScheduledJob.WAITING) && !reason.isEmpty()) {
            return Causes.firstSentence(reason);
        }
        return isTold ? record.orElseThrow().note() : ProgressPrinter.note(job);
    }

    private void footer(int all, int hidden, SchedulerAnswer<?> answer) {
        if (all == 0) {
            console.out().println("no jobs");
        }
        if (hidden > 0) {
            console.out()
                    .println(
                            hidden == 1
                                    ? "1 more job, which you may not view"
                                    : hidden + " more jobs, which you may not view");
        }
        if (!answer.trouble().isEmpty()) {
            console.out().println("without the scheduler's reasons: " + answer.trouble());
        }
    }
}
