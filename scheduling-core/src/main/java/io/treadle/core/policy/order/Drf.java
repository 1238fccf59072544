// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Smallest dominant share of the cluster first (dominant resource fairness, NSDI 2011, with each job a tenant). */
public final class Drf implements Order {
    @Override
    public String name() {
        return "drf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return Shares.of(job, moment).dominant();
    }
}
