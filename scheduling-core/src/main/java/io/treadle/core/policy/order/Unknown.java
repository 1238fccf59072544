// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/**
 * What stands in for the run time of a job of which nobody knows it: the seconds that it has run on all its GPUs. What
 * has run briefly is taken to be short, as least-attained service does.
 */
final class Unknown {
    private Unknown() {}

    static double key(JobView job, Moment moment) {
        return job.progress().attainedGpuSeconds(moment.nowMs()) / Math.max(1, job.gpus());
    }
}
