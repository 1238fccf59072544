// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What sizes are chosen by.
 *
 * @param jobs in order of submission; those that their ApplicationMasters measure just now are left out
 * @param pinned ids of those
 * @param capacity what the jobs may hold together
 * @param rescaleSeconds for how long a job that gets another size does nothing, s
 */
record Pool(List<PsJob> jobs, Set<String> pinned, ResourceVector capacity, double rescaleSeconds) {
    Pool {
        jobs = List.copyOf(jobs);
        pinned = Set.copyOf(pinned);
    }

    static Pool of(Snapshot snapshot) {
        Set<String> open = new HashSet<>();
        ResourceVector room = ResourceVector.ZERO;
        for (NodeView node : snapshot.nodes()) {
            if (node.open()) {
                open.add(node.id());
                room = room.plus(node.available());
            }
        }
        Set<String> pinned = new HashSet<>();
        ResourceVector measured = ResourceVector.ZERO;
        for (JobView job : snapshot.jobs()) {
            boolean isPinned = isMeasured(job);
            if (isPinned) {
                pinned.add(job.id());
            }
            for (RunningTask task : job.tasks()) {
                // What runs on a node that takes no new tasks may go on there.
                room = open.contains(task.nodeId()) ? room : room.plus(task.size());
                measured = isPinned ? measured.plus(task.size()) : measured;
            }
        }
        ResourceVector capacity =
                room.min(snapshot.queue().available()).minus(measured).max(ResourceVector.ZERO);
        return new Pool(
                snapshot.jobs().stream()
                        .filter(job -> !pinned.contains(job.id()))
                        .map(job -> PsJob.of(job, snapshot.nowMs()))
                        .toList(),
                pinned,
                capacity,
                snapshot.overheads().moveSeconds());
    }

    /** Whether its ApplicationMaster measures the job, which has all tasks that it needs. */
    private static boolean isMeasured(JobView job) {
        return job.running() && job.profiling() && job.groups().stream().allMatch(group -> job.missing(group) == 0);
    }

    /** The part that is given out by size. */
    ResourceVector offered(double factor) {
        return new ResourceVector(
                (long) (capacity.gpus() * factor),
                (long) (capacity.vcores() * factor),
                (long) (capacity.memoryMiB() * factor),
                (long) (capacity.gpuMemoryMiB() * factor),
                (long) (capacity.storageMBps() * factor),
                (long) (capacity.watts() * factor));
    }

    /** The part of the scarcest resource that it takes. */
    double share(ResourceVector use) {
        return Shares.dominant(use, capacity);
    }
}
