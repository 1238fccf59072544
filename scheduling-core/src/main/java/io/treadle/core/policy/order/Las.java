// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Least attained service first: the GPU-seconds held so far (Tiresias, NSDI 2019). */
public final class Las implements Order {
    @Override
    public String name() {
        return "las";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return job.progress().attainedGpuSeconds(moment.nowMs());
    }
}
