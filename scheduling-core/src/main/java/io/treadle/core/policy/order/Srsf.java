// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Shortest remaining service first: remaining time × GPUs (Tiresias, NSDI 2019). */
public final class Srsf implements Order {
    @Override
    public String name() {
        return "srsf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return (job.progress().isTimed() ? job.progress().secondsLeft(moment.nowMs()) : Unknown.key(job, moment))
                * job.gpus();
    }
}
