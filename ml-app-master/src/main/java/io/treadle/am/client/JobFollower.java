// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationResourceUsageReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * Looks at one job again and again. YARN's report is an RPC of which no log tells, and is read each time. The
 * ApplicationMaster's page, and the scheduler's reason where YARN hides it, are read in longer intervals, and at once when
 * the report shows another state, other containers or another tenth of the work done. Not thread-safe.
 */
final class JobFollower {
    private static final int STEPS = 10;

    private final TreadleClient client;
    private final ApplicationId id;
    private final PageInterval interval;
    private String seen = "";
    private Optional<MasterStatus> master = Optional.empty();
    private Optional<String> reason = Optional.empty();

    JobFollower(TreadleClient client, ApplicationId id, PageInterval interval) {
        this.client = client;
        this.id = id;
        this.interval = interval;
    }

    /** @throws ClientException if YARN does not know the application or cannot be reached */
    JobStatus look() {
        ApplicationReport report = client.report(id);
        String now = news(report);
        boolean changed = !now.equals(seen);
        seen = now;
        if (changed) {
            interval.restart();
        }
        if (changed || interval.takeDue()) {
            master = client.master(report);
            JobStatus status = JobStatus.of(report, master);
            boolean waits = ProgressPrinter.stateOf(status).equals(ScheduledJob.WAITING);
            reason = status.isOver() || !waits || !status.hidesReason()
                    ? Optional.empty()
                    : client.scheduler().job(id).found().map(ScheduledJob::reason);
        }
        if (report.getYarnApplicationState() != YarnApplicationState.RUNNING) {
            master = Optional.empty();
        }
        JobStatus status = JobStatus.of(report, master);
        return status.hidesReason() && !status.isOver() ? status.withDiagnostics(reason.orElse("")) : status;
    }

    /** Changes when there is something to read that people wait for. */
    private static String news(ApplicationReport report) {
        ApplicationResourceUsageReport usage = report.getApplicationResourceUsageReport();
        return report.getYarnApplicationState() + " " + (usage == null ? 0 : usage.getNumUsedContainers()) + " "
                + (int) (report.getProgress() * STEPS);
    }
}
