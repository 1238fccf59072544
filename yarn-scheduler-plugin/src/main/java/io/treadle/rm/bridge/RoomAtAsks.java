// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.jspecify.annotations.Nullable;

/**
 * What queues, users and nodes of one partition could still give if all jobs had no more than they ask for. A queue that is full
 * of what its own jobs have beyond their asks would otherwise look as if nobody in it could get more. Jobs that are measured
 * keep what they have. Used in one round, by the planner thread.
 */
final class RoomAtAsks {
    private final SchedulerAccess scheduler;
    private final String partition;
    /** What jobs have beyond their asks, in vcores and memory, by leaf queue, by queue and user, and by node. */
    private final Map<String, ResourceVector> byQueue = new HashMap<>();

    private final Map<QueueUser, ResourceVector> byUser = new HashMap<>();
    private final Map<NodeId, ResourceVector> byNode = new HashMap<>();
    private final Map<QueueUser, Boolean> mayTake = new HashMap<>();
    /** By vcores of a node's room, the most memory that a node with so many or more has room for. */
    private @Nullable NavigableMap<Long, Long> largest;

    private @Nullable List<ResourceVector> rooms;

    private record QueueUser(String queue, String user) {}

    /** @param gangs all jobs of the partition */
    RoomAtAsks(
            SchedulerAccess scheduler, RoundTasks tasks, ProfilingTime measured, String partition, List<Gang> gangs) {
        this.scheduler = scheduler;
        this.partition = partition;
        for (Gang gang : gangs) {
            if (measured.isMeasured(gang.id().toString(), false)) {
                continue;
            }
            tasks.beyondAsks(gang).forEach((node, beyond) -> {
                byQueue.merge(gang.queue(), beyond, ResourceVector::plus);
                byUser.merge(new QueueUser(gang.queue(), gang.user()), beyond, ResourceVector::plus);
                byNode.merge(node, beyond, ResourceVector::plus);
            });
        }
    }

    /** Of the queue, by its maximum and that of every queue above it; below zero where it holds more. */
    ResourceVector of(CSQueue queue) {
        ResourceVector room = roomOf(queue);
        for (CSQueue above = queue.getParent(); above != null; above = above.getParent()) {
            room = room.min(roomOf(above));
        }
        return room;
    }

    private ResourceVector roomOf(CSQueue level) {
        return QueueLimits.room(level, partition).plus(QueueLimits.below(level, byQueue));
    }

    /** What the jobs of a leaf queue have beyond their asks. */
    ResourceVector beyondAsksOf(CSQueue leaf) {
        return byQueue.getOrDefault(leaf.getQueuePath(), ResourceVector.ZERO);
    }

    /**
     * Whether a container could start for the user of the queue: by the user's limit, and on some node.
     *
     * @param size in vcores and memory
     */
    boolean hasRoomFor(AbstractLeafQueue leaf, String user, ResourceVector size) {
        return mayTake.computeIfAbsent(
                        new QueueUser(leaf.getQueuePath(), user),
                        who -> UserLimits.mayTake(
                                leaf,
                                user,
                                partition,
                                scheduler.clusterResource(),
                                byUser.getOrDefault(who, ResourceVector.ZERO)))
                && isOnSomeNode(size);
    }

    /**
     * Whether all tasks of a gang could start together. The last one may go above the user's limit.
     *
     * @param task the largest
     * @param whole what all ask for
     */
    boolean hasRoomForAll(AbstractLeafQueue leaf, String user, ResourceVector task, ResourceVector whole) {
        ResourceVector all = YarnResources.vector(scheduler.partitionResource(partition));
        ResourceVector own = byUser.getOrDefault(new QueueUser(leaf.getQueuePath(), user), ResourceVector.ZERO);
        ResourceVector left = new UserLimits(leaf, partition, all).room(user).plus(own);
        if (!whole.minus(task).where(whole).fitsIn(left.max(ResourceVector.ZERO))) {
            return false;
        }
        ResourceVector lacks = whole;
        for (ResourceVector room : rooms()) {
            lacks = lacks.minus(task.times(room.count(task)));
            if (lacks.fitsIn(ResourceVector.ZERO)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOnSomeNode(ResourceVector size) {
        if (largest == null) {
            NavigableMap<Long, Long> found = new TreeMap<>();
            long memoryMiB = 0;
            for (ResourceVector room : rooms()) {
                memoryMiB = Math.max(memoryMiB, room.memoryMiB());
                found.put(room.vcores(), memoryMiB);
            }
            largest = found;
        }
        Map.Entry<Long, Long> large = largest.ceilingEntry(size.vcores());
        return large != null && size.memoryMiB() <= large.getValue();
    }

    /** Of nodes that take containers, in vcores and memory, those with most vcores first. */
    private List<ResourceVector> rooms() {
        if (rooms == null) {
            rooms = scheduler.nodes().stream()
                    .filter(node -> node.getPartition().equals(partition)
                            && node.getRMNode().getState() == NodeState.RUNNING)
                    .map(node -> YarnResources.vector(node.getUnallocatedResource())
                            .plus(byNode.getOrDefault(node.getNodeID(), ResourceVector.ZERO)))
                    .sorted(Comparator.comparingLong(ResourceVector::vcores).reversed())
                    .toList();
        }
        return rooms;
    }
}
