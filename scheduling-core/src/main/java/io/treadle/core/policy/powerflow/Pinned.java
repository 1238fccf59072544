// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.policy.LeftAlone;
import java.util.HashSet;
import java.util.Set;

/**
 * What jobs hold that are {@link LeftAlone left as they are}. Where they may draw more than a limit that has fallen lets them all
 * together, the last of them is one as others: it makes way where it must, and is measured another time.
 *
 * @param jobs their ids
 * @param gpus GPUs that they hold
 * @param watts what their GPUs may draw at most, W
 */
record Pinned(Set<String> jobs, long gpus, double watts) {
    static final Pinned NONE = new Pinned(Set.of(), 0, 0);

    /** Foretold draws of nodes waver by as much, and nobody is to be stopped for that. */
    private static final double TOLERANCE = 1.02;

    Pinned {
        jobs = Set.copyOf(jobs);
    }

    /**
     * @param power what may be drawn
     * @param baseWatts what all nodes draw if none of them runs, W
     */
    static Pinned of(Snapshot snapshot, PowerView power, double baseWatts) {
        Set<String> jobs = new HashSet<>();
        long gpus = 0;
        double watts = 0;
        LeftAlone leftAlone = new LeftAlone(snapshot);
        for (JobView job : snapshot.jobs()) {
            if (leftAlone.holds(job)) {
                double allWatts = watts + watts(job, power);
                long allGpus = gpus + job.heldGpus();
                double nodes = baseWatts + allWatts - allGpus * power.idleGpuWatts();
                if (allWatts <= TOLERANCE * power.jobsLimitWatts() && nodes <= TOLERANCE * power.limitWatts()) {
                    jobs.add(job.id());
                    watts = allWatts;
                    gpus = allGpus;
                }
            }
        }
        return new Pinned(jobs, gpus, watts);
    }

    boolean holds(JobView job) {
        return jobs.contains(job.id());
    }

    /** Whatever cap an ApplicationMaster tries just now: it goes back to what the job asks for, or to none. */
    private static double watts(JobView job, PowerView power) {
        double watts = 0;
        for (RunningTask task : job.tasks()) {
            long capped = job.profiling() ? 0 : task.size().watts();
            long asked = Math.max(capped, job.group(task.group()).ask().watts());
            watts += asked > 0 ? asked : task.size().gpus() * power.gpuWatts();
        }
        return watts;
    }
}
