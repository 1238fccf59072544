// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.List;
import java.util.Optional;

/** Each task on the first node, in the snapshot's order, that takes it. */
public final class FirstFit implements Placement {
    @Override
    public String name() {
        return "first-fit";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        for (TaskGroup group : tasks) {
            int node = 0;
            while (node < ledger.nodes().size() && !attempt.tryOn(node, group)) {
                node++;
            }
            if (node == ledger.nodes().size()) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }
}
