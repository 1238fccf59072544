// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.policy.LeftAlone;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What jobs hold that are {@link LeftAlone left as they are}. Where they may draw more than a limit that has fallen lets them all
 * together, the last of them is one as others: it makes way where it must, and is measured another time.
 *
 * @param jobs their ids
 * @param gpus GPUs that they hold on the snapshot's nodes
 * @param watts what all their GPUs may draw at most, W
 * @param wattsHere the part of it on the snapshot's nodes: some tasks may run on nodes that have left it, W
 */
record Pinned(Set<String> jobs, long gpus, double watts, double wattsHere) {
    static final Pinned NONE = new Pinned(Set.of(), 0, 0, 0);

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
        Set<String> here = snapshot.nodes().stream().map(NodeView::id).collect(Collectors.toSet());
        long gpus = 0;
        double watts = 0;
        double wattsHere = 0;
        LeftAlone leftAlone = new LeftAlone(snapshot);
        for (JobView job : snapshot.jobs()) {
            if (leftAlone.holds(job)) {
                JobView part = job.withTasks(job.tasks().stream()
                        .filter(task -> here.contains(task.nodeId()))
                        .toList());
                double allWatts = watts + watts(job, power);
                double allWattsHere = wattsHere + watts(part, power);
                long allGpus = gpus + part.heldGpus();
                double nodes = baseWatts + allWattsHere - allGpus * power.idleGpuWatts();
                if (allWatts <= TOLERANCE * power.jobsLimitWatts() && nodes <= TOLERANCE * power.limitWatts()) {
                    jobs.add(job.id());
                    watts = allWatts;
                    wattsHere = allWattsHere;
                    gpus = allGpus;
                }
            }
        }
        return new Pinned(jobs, gpus, watts, wattsHere);
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
