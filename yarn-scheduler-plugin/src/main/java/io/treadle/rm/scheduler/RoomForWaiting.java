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
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the jobs of one snapshot hold, and which of them wait although there is room for all that they need at least. */
final class RoomForWaiting {
    private final Snapshot snapshot;
    /** Of open nodes, what nobody holds. */
    private final Collection<ResourceVector> free;
    /** By job, on nodes of the snapshot: tasks on nodes that have left the partition hold nothing of the queue's part of it. */
    private final Map<String, ResourceVector> held = new HashMap<>();

    private final ResourceVector left;

    RoomForWaiting(Snapshot snapshot) {
        this.snapshot = snapshot;
        Set<String> nodes = snapshot.nodes().stream().map(NodeView::id).collect(Collectors.toSet());
        Map<String, ResourceVector> byNode = new HashMap<>();
        snapshot.nodes().stream().filter(NodeView::open).forEach(node -> byNode.put(node.id(), node.available()));
        for (JobView job : snapshot.jobs()) {
            for (RunningTask task : job.tasks()) {
                byNode.computeIfPresent(task.nodeId(), (id, room) -> room.minus(task.size()));
                if (nodes.contains(task.nodeId())) {
                    held.merge(job.id(), task.size(), ResourceVector::plus);
                }
            }
        }
        this.free = byNode.values().stream()
                .map(room -> room.max(ResourceVector.ZERO))
                .toList();
        this.left = snapshot.queue().available().minus(sum(held.values())).max(ResourceVector.ZERO);
    }

    /** Whether the jobs hold more than their queue may. */
    boolean isOverfull() {
        return !sum(held.values()).fitsIn(snapshot.queue().available());
    }

    /** Ids of jobs. What GPUs they want and what stands in the way of several groups together is not looked at. */
    Set<String> startable() {
        return snapshot.jobs().stream()
                .filter(job -> !job.running() && isThere(job))
                .map(JobView::id)
                .collect(Collectors.toSet());
    }

    private static ResourceVector sum(Collection<ResourceVector> parts) {
        return parts.stream().reduce(ResourceVector.ZERO, ResourceVector::plus);
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
                ResourceVector own = sum(user.jobIds().stream()
                        .map(id -> held.getOrDefault(id, ResourceVector.ZERO))
                        .toList());
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
