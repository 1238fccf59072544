// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Quasi-shortest service first: the run time foretold from history × GPUs (Helios, SC 2021). */
public final class Qssf implements Order {
    private final boolean foretellsLate;

    /** @param foretellsLate whether jobs that have just come are ordered by their GPUs alone, as in Helios' artifact */
    public Qssf(boolean foretellsLate) {
        this.foretellsLate = foretellsLate;
    }

    public Qssf() {
        this(false);
    }

    @Override
    public String name() {
        return "qssf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        return job.foretoldSeconds().orElseGet(() -> Unknown.key(job, moment)) * job.gpus();
    }

    @Override
    public double tieKey(JobView job) {
        return foretellsLate ? job.gpus() : job.submitMs();
    }

    @Override
    public Order amongFresh() {
        return foretellsLate ? new TiesInQueue(new Lsf()) : this;
    }
}
