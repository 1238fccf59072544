// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;

/**
 * Each task where what is free looks least like what it asks for: the smallest dot product of the two, over CPU and GPUs,
 * each as a share of the largest node, in whole percent (the DotProd of FGD's simulator, USENIX ATC 2023, whose sign is
 * the opposite of Tetris').
 */
public final class DotProduct extends HighestScore {
    @Override
    public String name() {
        return "dot-product";
    }

    @Override
    long score(Ledger ledger, int node, TaskGroup group, ResourceVector size) {
        GpuUnits gpus = ledger.gpuUnits();
        double vcores = gpus.mostVcores();
        double most = gpus.most();
        double product = ledger.free(node).vcores() / vcores * (size.vcores() / vcores)
                + gpus.free(node) / most * (gpus.of(node, size) / most);
        return (long) (100 * (1 - product / 2));
    }
}
