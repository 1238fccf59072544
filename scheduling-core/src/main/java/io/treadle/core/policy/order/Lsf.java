// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Least size first: fewest GPUs. */
public final class Lsf implements Order {
    @Override
    public String name() {
        return "lsf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return job.gpus();
    }
}
