// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/**
 * Each task on the node where least is left beside it: the mean of what is left of CPU and of GPUs, each as a share of
 * the largest node, in whole percent; of nodes that are alike so, the first in the snapshot's order (the BestFit of
 * FGD's simulator, USENIX ATC 2023).
 */
public final class BestFit implements Placement {
    @Override
    public String name() {
        return "best-fit";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        for (TaskGroup group : tasks) {
            if (!placeOne(attempt, group, sizer, ledger)) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    private static boolean placeOne(Attempt attempt, TaskGroup group, TaskSizer sizer, Ledger ledger) {
        int best = -1;
        long bestScore = -1;
        for (int node = 0; node < ledger.nodes().size(); node++) {
            ResourceVector size = sizer.size(group, ledger.node(node));
            if (!size.fitsIn(ledger.free(node))) {
                continue;
            }
            long score = score(ledger, node, size);
            if (score > bestScore && attempt.fitsOn(node, group, size)) {
                best = node;
                bestScore = score;
            }
        }
        return best >= 0 && attempt.tryOn(best, group);
    }

    /** Percent, rounded down; 100 for a node that is full beside the task. */
    private static long score(Ledger ledger, int node, ResourceVector size) {
        GpuUnits gpus = ledger.gpuUnits();
        double left = (double) (ledger.free(node).vcores() - size.vcores()) / gpus.mostVcores() * 0.5
                + (double) (gpus.free(node) - gpus.of(node, size)) / gpus.most() * 0.5;
        return (long) ((1 - left) * 100);
    }
}
