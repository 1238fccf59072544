// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Shortest job first, by its whole run time at its share; where that is not known, by attained service. */
public final class Sjf implements Order {
    @Override
    public String name() {
        return "sjf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return job.progress().isTimed()
                ? job.progress().samplesTotal() * job.progress().secondsPerSample()
                : Unknown.key(job, moment);
    }
}
