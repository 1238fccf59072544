// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.resource.ResourceVector;

/** Resources as parts of what a pool has. */
final class Shares {
    static final int RESOURCES = 6;

    private Shares() {}

    /** The amounts in one order, each a row of a knapsack. */
    static double[] amounts(ResourceVector vector) {
        return new double[] {
            vector.gpus(),
            vector.vcores(),
            vector.memoryMiB(),
            vector.gpuMemoryMiB(),
            vector.storageMBps(),
            vector.watts()
        };
    }

    /** The largest part of what there is of any resource; of what there is nothing, any part is endless. */
    static double dominant(ResourceVector use, ResourceVector pool) {
        double[] used = amounts(use);
        double[] all = amounts(pool);
        double most = 0;
        for (int i = 0; i < used.length; i++) {
            if (used[i] > 0) {
                most = Math.max(most, all[i] > 0 ? used[i] / all[i] : Double.POSITIVE_INFINITY);
            }
        }
        return most;
    }
}
