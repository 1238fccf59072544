// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * What queues, users and nodes of one partition could still give if all jobs had no more than they ask for. A queue that is full
 * of what its own jobs have beyond their asks would otherwise look as if nobody in it could get more. What YARN has reserved is
 * not held: an ask that a node is reserved for waits like others. Jobs that are measured keep what they have. Used in one round,
 * by the planner thread.
 */
final class RoomAtAsks {
    private final SchedulerAccess scheduler;
    private final String partition;
    /** What jobs have beyond their asks, in vcores and memory, by leaf queue, and by queue and user. */
    private final Map<String, ResourceVector> byQueue = new HashMap<>();

    private final Map<QueueUser, ResourceVector> byUser = new HashMap<>();
    private final Map<QueueUser, Boolean> mayTake = new HashMap<>();
    private final Map<QueueUser, ResourceVector> leftOfUser = new HashMap<>();
    private final NodePlaces places;

    private record QueueUser(String queue, String user) {}

    /** @param gangs all jobs of the partition */
    RoomAtAsks(
            SchedulerAccess scheduler,
            RoundTasks tasks,
            ProfilingTime measured,
            GangReservations reservations,
            String partition,
            List<Gang> gangs) {
        this.scheduler = scheduler;
        this.partition = partition;
        Map<NodeId, ResourceVector> byNode = new HashMap<>();
        for (Gang gang : gangs) {
            Map<NodeId, ResourceVector> beyondAsks = tasks.beyondAsks(gang);
            // With the question its time of being measured begins: it has tasks.
            boolean isMeasured = !beyondAsks.isEmpty()
                    && scheduler.isMasterRegistered(gang.id())
                    && measured.isMeasured(gang.id().toString(), true);
            if (!isMeasured) {
                beyondAsks.forEach((node, beyond) -> {
                    byQueue.merge(gang.queue(), beyond, ResourceVector::plus);
                    byUser.merge(new QueueUser(gang.queue(), gang.user()), beyond, ResourceVector::plus);
                    byNode.merge(node, beyond, ResourceVector::plus);
                });
            }
        }
        this.places = new NodePlaces(scheduler, reservations, partition, byNode);
    }

    /** Of the queue, by its maximum and that of every queue above it; below zero where it holds more. */
    ResourceVector of(CSQueue queue) {
        ResourceVector room = roomOf(queue);
        for (CSQueue above = queue.getParent(); above != null; above = above.getParent()) {
            room = room.min(roomOf(above));
        }
        return room;
    }

    /** Of the queue as it is. */
    ResourceVector now(CSQueue queue) {
        return QueueLimits.headroom(queue, partition, scheduler.clusterResource());
    }

    private ResourceVector roomOf(CSQueue level) {
        return QueueLimits.room(level, partition).plus(reserved(level)).plus(QueueLimits.below(level, byQueue));
    }

    private ResourceVector reserved(CSQueue queue) {
        return YarnResources.vector(queue.getQueueResourceUsage().getReserved(partition));
    }

    /** What the queue would hold. */
    private ResourceVector heldBy(CSQueue queue) {
        return QueueLimits.used(queue, partition).minus(reserved(queue)).minus(QueueLimits.below(queue, byQueue));
    }

    /**
     * Vcores that queues wait for and are guaranteed: each leaf queue by its own guarantee, or all below a queue together by that
     * one's. What is left of the guarantee of a queue goes to who asks below it.
     *
     * @param root of all queues
     * @param wanted by leaf queue, by path
     */
    long owed(CSQueue root, Map<String, Long> wanted) {
        return wanted.values().stream().allMatch(vcores -> vcores == 0)
                ? 0
                : claim(root, wanted).owed();
    }

    /** Vcores that are waited for in a queue, and the part of them that is guaranteed. */
    private record Claim(long wanted, long owed) {}

    private Claim claim(CSQueue queue, Map<String, Long> wanted) {
        long all = wanted.getOrDefault(queue.getQueuePath(), 0L);
        long owed = 0;
        List<CSQueue> children = queue.getChildQueues();
        for (CSQueue child : children == null ? List.<CSQueue>of() : children) {
            Claim below = claim(child, wanted);
            all += below.wanted();
            owed += below.owed();
        }
        if (all > owed && queue.getParent() != null) {
            // What jobs have beyond their asks is no part of what their queue was given for the asking.
            long left = QueueLimits.guarantee(queue, partition).vcores()
                    - heldBy(queue).vcores();
            owed = Math.max(owed, Math.min(all, left));
        }
        return new Claim(all, owed);
    }

    /** Whether the application's user could get a container more of the queue. */
    boolean mayTake(AbstractLeafQueue leaf, FiCaSchedulerApp app) {
        QueueUser who = new QueueUser(leaf.getQueuePath(), app.getUser());
        ResourceVector reserved = YarnResources.vector(app.getCurrentReservation());
        return reserved.isZero()
                ? mayTake.computeIfAbsent(who, key -> mayTake(leaf, who, reserved))
                : mayTake(leaf, who, reserved);
    }

    private boolean mayTake(AbstractLeafQueue leaf, QueueUser who, ResourceVector reserved) {
        return UserLimits.mayTake(
                leaf,
                who.user(),
                partition,
                scheduler.clusterResource(),
                byUser.getOrDefault(who, ResourceVector.ZERO).plus(reserved));
    }

    /** Whether the user could hold as much more of the queue. */
    boolean mayTake(AbstractLeafQueue leaf, String user, ResourceVector more) {
        QueueUser who = new QueueUser(leaf.getQueuePath(), user);
        ResourceVector left = leftOfUser.computeIfAbsent(who, key -> {
            ResourceVector all = YarnResources.vector(scheduler.partitionResource(partition));
            return new UserLimits(leaf, partition, all)
                    .room(user)
                    .plus(byUser.getOrDefault(who, ResourceVector.ZERO))
                    .max(ResourceVector.ZERO);
        });
        return more.fitsIn(left);
    }

    /** Of containers of the size. */
    NodePlaces.Places places(Resource size) {
        return places.of(size);
    }
}
