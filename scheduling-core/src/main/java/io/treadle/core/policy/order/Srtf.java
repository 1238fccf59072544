// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** Shortest remaining time first; where that is not known, by attained service. */
public final class Srtf implements Order {
    private final boolean atLastSpeed;

    /** @param atLastSpeed whether the time left counts at the speed that the job last had, not at that of its share */
    public Srtf(boolean atLastSpeed) {
        this.atLastSpeed = atLastSpeed;
    }

    public Srtf() {
        this(false);
    }

    @Override
    public String name() {
        return "srtf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        if (!job.progress().isTimed()) {
            return Unknown.key(job, moment);
        }
        double left = job.progress().secondsLeft(moment.nowMs());
        return atLastSpeed ? left / job.progress().speedup() : left;
    }
}
