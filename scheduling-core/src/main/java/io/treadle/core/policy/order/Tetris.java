// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Least remaining time × share of all resources first (Tetris, SIGCOMM 2014, as Synergy's artifact has it). */
public final class Tetris implements Order {
    @Override
    public String name() {
        return "tetris";
    }

    @Override
    public double key(JobView job, Moment moment) {
        double seconds =
                job.progress().isTimed() ? job.progress().secondsLeft(moment.nowMs()) : Unknown.key(job, moment);
        return seconds * Shares.of(job, moment).sum();
    }
}
