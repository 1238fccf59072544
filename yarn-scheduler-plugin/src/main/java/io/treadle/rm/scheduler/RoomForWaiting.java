// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which jobs of one snapshot wait although there is room for all that they need at least. */
final class RoomForWaiting {
    private final Snapshot snapshot;
    /** Of open nodes, what nobody holds. */
    private final Collection<ResourceVector> free;

    private final ResourceVector left;

    private RoomForWaiting(Snapshot snapshot) {
        this.snapshot = snapshot;
        Map<String, ResourceVector> byNode = new HashMap<>();
        snapshot.nodes().stream().filter(NodeView::open).forEach(node -> byNode.put(node.id(), node.available()));
        snapshot.jobs().stream()
                .flatMap(job -> job.tasks().stream())
                .forEach(task -> byNode.computeIfPresent(task.nodeId(), (id, room) -> room.minus(task.size())));
        this.free = byNode.values().stream()
                .map(room -> room.max(ResourceVector.ZERO))
                .toList();
        this.left =
                snapshot.queue().available().minus(held(snapshot, job -> true)).max(ResourceVector.ZERO);
    }

    /** Ids of jobs. What GPUs they want and what stands in the way of several groups together is not looked at. */
    static Set<String> of(Snapshot snapshot) {
        List<JobView> waiting =
                snapshot.jobs().stream().filter(job -> !job.running()).toList();
        if (waiting.isEmpty()) {
            return Set.of();
        }
        RoomForWaiting room = new RoomForWaiting(snapshot);
        return waiting.stream().filter(room::isThere).map(JobView::id).collect(Collectors.toSet());
    }

    /** What jobs hold on nodes of the snapshot: tasks on nodes that have left the partition hold nothing of the queue's part of it. */
    static ResourceVector held(Snapshot snapshot, Predicate<JobView> counts) {
        Set<String> nodes = snapshot.nodes().stream().map(NodeView::id).collect(Collectors.toSet());
        return snapshot.jobs().stream()
                .filter(counts)
                .flatMap(job -> job.tasks().stream())
                .filter(task -> nodes.contains(task.nodeId()))
                .map(RunningTask::size)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private boolean isThere(JobView job) {
        ResourceVector need = ResourceVector.ZERO;
        for (TaskGroup group : job.groups()) {
            need = need.plus(group.ask().times(group.min()));
        }
        return need.fitsIn(left) && mayHold(job, need) && job.groups().stream().allMatch(this::isOnNodes);
    }

    /** The last task may go above the limit of its user; see {@link UserView}. */
    private boolean mayHold(JobView job, ResourceVector need) {
        ResourceVector last = job.groups().stream()
                .filter(group -> group.min() > 0)
                .map(TaskGroup::ask)
                .reduce((one, other) -> other)
                .orElse(ResourceVector.ZERO);
        for (UserView user : snapshot.queue().users()) {
            if (user.jobIds().contains(job.id())) {
                ResourceVector own = held(snapshot, other -> user.jobIds().contains(other.id()));
                if (!need.minus(last).fitsIn(user.available().minus(own).max(ResourceVector.ZERO))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isOnNodes(TaskGroup group) {
        long tasks = 0;
        for (ResourceVector room : free) {
            tasks += Math.min(group.min(), room.count(group.ask()));
            if (tasks >= group.min()) {
                return true;
            }
        }
        return group.min() == 0;
    }
}
