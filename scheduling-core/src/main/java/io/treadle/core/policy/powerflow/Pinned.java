// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;

/**
 * What jobs hold that their ApplicationMasters measure just now, and which therefore stay as they are.
 *
 * @param gpus GPUs that they hold
 * @param watts what their GPUs may draw at most, W
 */
record Pinned(long gpus, double watts) {
    static Pinned of(Snapshot snapshot, PowerView power) {
        long gpus = 0;
        double watts = 0;
        for (JobView job : snapshot.jobs()) {
            if (is(job)) {
                gpus += job.heldGpus();
                watts += watts(job, power);
            }
        }
        return new Pinned(gpus, watts);
    }

    /** Whether the job is measured, and has all tasks that it needs. */
    static boolean is(JobView job) {
        return job.running() && job.profiling() && job.groups().stream().allMatch(group -> job.missing(group) == 0);
    }

    private static double watts(JobView job, PowerView power) {
        double watts = 0;
        for (RunningTask task : job.tasks()) {
            long cap = task.size().watts();
            watts += cap > 0 ? cap : task.size().gpus() * power.gpuWatts();
        }
        return watts;
    }
}
