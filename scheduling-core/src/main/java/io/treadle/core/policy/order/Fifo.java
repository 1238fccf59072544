// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** First submitted, first served. */
public final class Fifo implements Order {
    @Override
    public String name() {
        return "fifo";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return job.submitMs();
    }
}
