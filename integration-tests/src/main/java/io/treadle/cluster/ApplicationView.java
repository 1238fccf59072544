// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.util.List;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * An application as the ResourceManager has it now.
 *
 * @param submittedMs wall-clock time of its submission, ms since the epoch
 * @param finishedMs wall-clock time of its end, ms since the epoch; 0 before
 * @param diagnostics why it waits or failed; empty for neither
 * @param trackingUrl its ApplicationMaster's page through the ResourceManager's proxy; empty before it registers
 * @param workers its containers but the ApplicationMaster's, by id
 */
public record ApplicationView(
        YarnApplicationState state,
        FinalApplicationStatus finalStatus,
        long submittedMs,
        long finishedMs,
        String diagnostics,
        String trackingUrl,
        List<RunningContainer> workers) {
    public ApplicationView {
        workers = List.copyOf(workers);
    }

    public boolean ended() {
        return state == YarnApplicationState.FINISHED
                || state == YarnApplicationState.FAILED
                || state == YarnApplicationState.KILLED;
    }

    public int vcores() {
        return workers.stream().mapToInt(RunningContainer::vcores).sum();
    }

    public int gpus() {
        return workers.stream().mapToInt(RunningContainer::gpus).sum();
    }
}
