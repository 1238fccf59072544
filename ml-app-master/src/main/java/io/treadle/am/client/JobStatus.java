// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.text.PlainText;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * A job as YARN and its own ApplicationMaster see it.
 *
 * @param progress 0 to 1, as YARN shows it
 * @param diagnostics why it waits or failed; may be empty
 * @param startedMs submission, ms since the epoch
 * @param finishedMs end, ms since the epoch; 0 while it is not over
 * @param master what its ApplicationMaster says; empty while that cannot be reached
 * @param mayView whether YARN lets the caller view the job: of others it tells name, user, queue and state alone
 */
public record JobStatus(
        ApplicationId id,
        String name,
        String user,
        String queue,
        YarnApplicationState state,
        FinalApplicationStatus finalStatus,
        float progress,
        String diagnostics,
        String trackingUrl,
        long startedMs,
        long finishedMs,
        Optional<MasterStatus> master,
        boolean mayView) {
    /** YARN's diagnostics for those who may not view the job; others get an empty text where there is nothing to say. */
    private static final String UNAVAILABLE = "N/A";

    /** YARN's diagnostics of attempts that a ResourceManager has taken over from another one. */
    private static final String RECOVERED = "Attempt recovered after RM restart";

    /** The same with other diagnostics. */
    JobStatus withDiagnostics(String other) {
        return new JobStatus(
                id,
                name,
                user,
                queue,
                state,
                finalStatus,
                progress,
                other,
                trackingUrl,
                startedMs,
                finishedMs,
                master,
                mayView);
    }

    static JobStatus of(ApplicationReport report, Optional<MasterStatus> master) {
        return new JobStatus(
                report.getApplicationId(),
                PlainText.line(text(report.getName())),
                PlainText.line(text(report.getUser())),
                PlainText.line(text(report.getQueue())),
                report.getYarnApplicationState(),
                report.getFinalApplicationStatus(),
                report.getProgress(),
                text(report.getDiagnostics()),
                text(report.getTrackingUrl()),
                report.getStartTime(),
                report.getFinishTime(),
                master,
                !UNAVAILABLE.equals(report.getDiagnostics()));
    }

    private static String text(@org.jspecify.annotations.Nullable String value) {
        return value == null || value.equals("N/A") ? "" : value.strip();
    }

    /** Whether YARN shows its own text in place of the scheduler's reason: it does so after a restart or failover. */
    boolean hidesReason() {
        return diagnostics.startsWith(RECOVERED);
    }

    /** Whether nothing of the job will run any more. */
    public boolean isOver() {
        return state == YarnApplicationState.FINISHED
                || state == YarnApplicationState.FAILED
                || state == YarnApplicationState.KILLED;
    }

    public boolean succeeded() {
        return state == YarnApplicationState.FINISHED && finalStatus == FinalApplicationStatus.SUCCEEDED;
    }
}
