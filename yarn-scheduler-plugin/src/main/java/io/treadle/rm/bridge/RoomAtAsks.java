// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.jspecify.annotations.Nullable;

/**
 * What queues, users and nodes of one partition could still give if all jobs had no more than they ask for. A queue that is full
 * of what its own jobs have beyond their asks would otherwise look as if nobody in it could get more. What YARN has reserved is
 * not held: an ask that a node is reserved for waits like others. Jobs that are measured keep what they have. Used in one round,
 * by the planner thread.
 */
final class RoomAtAsks {
    /** Of how many sizes of asks it is found out where they have room: that takes a look at all nodes. */
    private static final int MOST_SIZES = 1_000;

    private final SchedulerAccess scheduler;
    private final GangReservations reservations;
    private final String partition;
    /** What jobs have beyond their asks, in vcores and memory, by leaf queue, by queue and user, and by node. */
    private final Map<String, ResourceVector> byQueue = new HashMap<>();

    private final Map<QueueUser, ResourceVector> byUser = new HashMap<>();
    private final Map<NodeId, ResourceVector> byNode = new HashMap<>();
    private final Map<QueueUser, Boolean> mayTake = new HashMap<>();
    private final Map<QueueUser, ResourceVector> leftOfUser = new HashMap<>();
    private final Map<Resource, Places> places = new HashMap<>();
    private @Nullable List<NodeRoom> nodes;

    private record QueueUser(String queue, String user) {}

    /**
     * @param beyondAsks what jobs could give back there
     * @param isOpen whether CapacityScheduler gives what is free there to whoever asks
     */
    private record NodeRoom(Resource free, ResourceVector beyondAsks, boolean isOpen) {}

    /**
     * How many containers of a size have room on all nodes together.
     *
     * @param now as it is
     * @param atAsks if all jobs had what they ask for
     */
    record Places(long now, long atAsks) {
        /** It may have room. */
        private static final Places UNKNOWN = new Places(0, Integer.MAX_VALUE);
    }

    /** @param gangs all jobs of the partition */
    RoomAtAsks(
            SchedulerAccess scheduler,
            RoundTasks tasks,
            ProfilingTime measured,
            GangReservations reservations,
            String partition,
            List<Gang> gangs) {
        this.scheduler = scheduler;
        this.reservations = reservations;
        this.partition = partition;
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

    /** What the leaf queue would hold. */
    ResourceVector heldBy(CSQueue leaf) {
        return QueueLimits.used(leaf, partition)
                .minus(reserved(leaf))
                .minus(byQueue.getOrDefault(leaf.getQueuePath(), ResourceVector.ZERO));
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
    Places places(Resource size) {
        Places known = places.get(size);
        if (known != null || places.size() >= MOST_SIZES) {
            return known == null ? Places.UNKNOWN : known;
        }
        long now = 0;
        long atAsks = 0;
        for (NodeRoom node : nodes()) {
            now += node.isOpen() ? count(node.free(), ResourceVector.ZERO, size) : 0;
            atAsks += count(node.free(), node.beyondAsks(), size);
        }
        Places found = new Places(now, atAsks);
        places.put(Resource.newInstance(size), found);
        return found;
    }

    private List<NodeRoom> nodes() {
        if (nodes == null) {
            List<NodeRoom> found = new ArrayList<>();
            Heartbeats heartbeats = scheduler.heartbeats();
            for (FiCaSchedulerNode node : scheduler.nodes()) {
                if (node.getPartition().equals(partition) && node.getRMNode().getState() == NodeState.RUNNING) {
                    ResourceVector kept = reservations.on(node.getNodeID());
                    Resource free = node.getUnallocatedResource();
                    found.add(new NodeRoom(
                            kept.isZero()
                                    ? free
                                    : YarnResources.resource(YarnResources.vector(free)
                                            .minus(kept)
                                            .max(ResourceVector.ZERO)),
                            byNode.getOrDefault(node.getNodeID(), ResourceVector.ZERO),
                            node.getReservedContainer() == null && heartbeats.silentMs(node) == 0));
                }
            }
            nodes = found;
        }
        return nodes;
    }

    /** Of whatever kinds of resources there are. */
    private static long count(Resource free, ResourceVector more, Resource size) {
        ResourceInformation[] wanted = size.getResources();
        long count = Integer.MAX_VALUE;
        for (int i = 0; i < wanted.length && count > 0; i++) {
            long each = wanted[i].getValue();
            if (each > 0) {
                count = Math.min(count, Math.max(0, value(free, i) + beyond(more, i)) / each);
            }
        }
        return count;
    }

    private static long value(Resource free, int kind) {
        ResourceInformation[] kinds = free.getResources();
        return kind < kinds.length ? kinds[kind].getValue() : 0;
    }

    /** Hadoop's first two kinds are memory and vcores. */
    private static long beyond(ResourceVector more, int kind) {
        return kind == 0 ? more.memoryMiB() : kind == 1 ? more.vcores() : 0;
    }
}
