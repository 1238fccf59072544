// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/**
 * Each task on the node with the highest score among those that take it; of nodes with the same score, on the first in
 * the snapshot's order.
 */
abstract class HighestScore implements Placement {
    /** Below any score. */
    static final long NONE = -1;

    /**
     * @param size what the task would hold on the node, which has that much free of everything but, perhaps, of a single
     *     device
     * @return from 0 on; {@link #NONE} for a node that the task must not have
     */
    abstract long score(Ledger ledger, int node, TaskGroup group, ResourceVector size);

    /** The devices that the task gets on the node that was chosen for it. */
    Optional<List<DeviceShare>> devices(Ledger ledger, int node, TaskGroup group, ResourceVector size) {
        return ledger.chooseDevices(node, group);
    }

    @Override
    public final Optional<List<TaskPlacement>> place(
            JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        for (TaskGroup group : tasks) {
            if (!placeOne(attempt, group, sizer, ledger)) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    private boolean placeOne(Attempt attempt, TaskGroup group, TaskSizer sizer, Ledger ledger) {
        int best = -1;
        long bestScore = NONE;
        for (int node = 0; node < ledger.nodes().size(); node++) {
            if (ledger.free(node).gpus() < group.ask().gpus()) {
                continue;
            }
            ResourceVector size = sizer.size(group, ledger.node(node));
            if (!size.fitsIn(ledger.free(node))) {
                continue;
            }
            long score = score(ledger, node, group, size);
            if (score > bestScore && attempt.fitsOn(node, group, size)) {
                best = node;
                bestScore = score;
            }
        }
        return best >= 0
                && attempt.tryOn(best, group, devices(ledger, best, group, sizer.size(group, ledger.node(best))));
    }
}
