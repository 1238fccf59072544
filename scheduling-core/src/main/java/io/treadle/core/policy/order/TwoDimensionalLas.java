// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/**
 * Discretised two-dimensional least attained service (Tiresias, NSDI 2019): jobs fall from queue to queue as their
 * GPU-seconds pass the limits; in a queue the first submitted is served first.
 */
public final class TwoDimensionalLas implements Order {
    /** GPU-seconds at which a job falls to the next queue, as in Tiresias' simulator. */
    private static final double[] LIMITS = {3250, 7200, 18_000};

    @Override
    public String name() {
        return "2d-las";
    }

    @Override
    public double key(JobView job, Moment moment) {
        double attained = job.progress().attainedGpuSeconds(moment.nowMs());
        int queue = 0;
        while (queue < LIMITS.length && attained >= LIMITS[queue]) {
            queue++;
        }
        return queue;
    }
}
