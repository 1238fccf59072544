// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.policy.LeftAlone;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What sizes are chosen by.
 *
 * @param jobs in order of submission; those that their ApplicationMasters measure just now, and those on nodes that take
 *     no new tasks, are left out
 * @param pinned ids of those
 * @param nodes what each node has for jobs
 * @param empty what each node has
 * @param queue path of the queue
 * @param capacity what the jobs may hold together
 * @param rescaleSeconds for how long a job that gets another size does nothing, s
 */
record Pool(
        List<PsJob> jobs,
        Set<String> pinned,
        List<ResourceVector> nodes,
        List<ResourceVector> empty,
        String queue,
        ResourceVector capacity,
        double rescaleSeconds) {
    Pool {
        jobs = List.copyOf(jobs);
        pinned = Set.copyOf(pinned);
        nodes = List.copyOf(nodes);
        empty = List.copyOf(empty);
    }

    static Pool of(Snapshot snapshot) {
        Set<String> open = new HashSet<>();
        Set<String> here = new HashSet<>();
        List<ResourceVector> nodes = new ArrayList<>();
        ResourceVector room = ResourceVector.ZERO;
        for (NodeView node : snapshot.nodes()) {
            here.add(node.id());
            if (node.open()) {
                open.add(node.id());
                nodes.add(node.available());
                room = room.plus(node.available());
            }
        }
        LeftAlone leftAlone = new LeftAlone(snapshot);
        Set<String> pinned = new HashSet<>();
        ResourceVector queue = snapshot.queue().available();
        for (JobView job : snapshot.jobs()) {
            if (leftAlone.holds(job)) {
                pinned.add(job.id());
                for (RunningTask task : job.tasks()) {
                    queue = here.contains(task.nodeId()) ? queue.minus(task.size()) : queue;
                    room = open.contains(task.nodeId()) ? room.minus(task.size()) : room;
                }
            }
        }
        return new Pool(
                snapshot.jobs().stream()
                        .filter(job -> !pinned.contains(job.id()))
                        .map(job -> PsJob.of(job, snapshot.nowMs()))
                        .toList(),
                pinned,
                nodes,
                snapshot.nodes().stream().map(NodeView::capacity).toList(),
                snapshot.queue().name(),
                room.min(queue).max(ResourceVector.ZERO),
                snapshot.overheads().moveSeconds());
    }

    /** Whether there is a node for each of its tasks, were it empty. */
    boolean couldHold(PsJob job) {
        return job.job().groups().stream().filter(group -> group.min() > 0).allMatch(group -> nodes.stream()
                .anyMatch(node -> group.ask().fitsIn(node)));
    }

    /** Whether it could run, were it alone. */
    boolean mayRun(PsJob job) {
        ResourceVector needed = job.use(job.least());
        return needed.fitsIn(capacity) && needed.fitsIn(job.cap()) && couldHold(job);
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
