// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;

/**
 * Each task on the node where least is left beside it: the mean of what is left of CPU and of GPUs, each as a share of
 * the largest node, in whole percent; of nodes that are alike so, the first in the snapshot's order (the BestFit of
 * FGD's simulator, USENIX ATC 2023).
 */
public final class BestFit extends HighestScore {
    @Override
    public String name() {
        return "best-fit";
    }

    /** Percent, rounded down; 100 for a node that is full beside the task. */
    @Override
    long score(Ledger ledger, int node, TaskGroup group, ResourceVector size) {
        GpuUnits gpus = ledger.gpuUnits();
        double left = (double) (ledger.free(node).vcores() - size.vcores()) / gpus.mostVcores() * 0.5
                + (double) (gpus.free(node) - gpus.of(node, size)) / gpus.most() * 0.5;
        return (long) ((1 - left) * 100);
    }
}
