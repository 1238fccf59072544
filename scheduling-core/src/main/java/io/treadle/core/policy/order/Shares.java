// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import java.util.Optional;

/** What a job could use of a cluster: its asks, and its best-case demand for CPU and memory where that is known. */
record Shares(double gpus, double vcores, double memory) {
    static Shares of(JobView job, Moment moment) {
        long gpus = 0;
        long vcores = 0;
        long memoryMiB = 0;
        Optional<SensitivityMatrix.Demand> demand = job.profile().map(matrix -> matrix.demand(0));
        for (TaskGroup group : job.groups()) {
            ResourceVector ask = group.ask();
            boolean measured = demand.isPresent() && ask.gpus() > 0;
            gpus += group.min() * ask.gpus();
            vcores += group.min()
                    * (measured ? Math.max(ask.vcores(), demand.get().vcores()) : ask.vcores());
            memoryMiB += group.min()
                    * (measured ? Math.max(ask.memoryMiB(), demand.get().memoryMiB()) : ask.memoryMiB());
        }
        ResourceVector all = moment.capacity();
        return new Shares(share(gpus, all.gpus()), share(vcores, all.vcores()), share(memoryMiB, all.memoryMiB()));
    }

    private static double share(long amount, long all) {
        return all == 0 ? 0 : (double) amount / all;
    }

    double dominant() {
        return Math.max(gpus, Math.max(vcores, memory));
    }

    double sum() {
        return gpus + vcores + memory;
    }
}
