// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Least remaining time × share of all resources first (Tetris, SIGCOMM 2014, as Synergy's artifact has it). */
public final class Tetris implements Order {
    private final boolean atLastSpeed;

    /** @param atLastSpeed whether the time left counts at the speed that the job last had, not at that of its share */
    public Tetris(boolean atLastSpeed) {
        this.atLastSpeed = atLastSpeed;
    }

    public Tetris() {
        this(false);
    }

    @Override
    public String name() {
        return "tetris";
    }

    @Override
    public double key(JobView job, Moment moment) {
        double seconds =
                job.progress().isTimed() ? job.progress().secondsLeft(moment.nowMs()) : Unknown.key(job, moment);
        double speed = atLastSpeed && job.progress().isTimed() ? job.progress().speedup() : 1;
        return seconds / speed * Shares.of(job, moment).sum();
    }
}
