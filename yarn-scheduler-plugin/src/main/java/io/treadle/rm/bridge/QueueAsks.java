// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Vcores that a leaf queue waits for on nodes of a partition, and could have if all jobs had no more than they ask for. What has
 * room already is about to be served and does not count, unless it is kept waiting.
 */
final class QueueAsks {
    private final RoundTasks tasks;
    private final RoomAtAsks rooms;
    private final StandingAsks standing;
    private final AbstractLeafQueue leaf;
    private final String partition;
    private final long nowMs;
    private final ResourceVector room;
    private final ResourceVector roomNow;
    private long sum;
    private long largest;
    /** CapacityScheduler serves a queue's applications in their order. */
    private boolean isNextFound;

    private boolean isNextKeptWaiting;

    QueueAsks(
            RoundTasks tasks,
            RoomAtAsks rooms,
            StandingAsks standing,
            AbstractLeafQueue leaf,
            String partition,
            long nowMs) {
        this.tasks = tasks;
        this.rooms = rooms;
        this.standing = standing;
        this.leaf = leaf;
        this.partition = partition;
        this.nowMs = nowMs;
        this.room = rooms.of(leaf);
        this.roomNow = rooms.now(leaf);
    }

    /** Of all that it waits for without GPUs, what it may hold. */
    long wanted() {
        return Math.max(0, Math.min(sum, room.vcores()));
    }

    /** Of the largest ask, with GPUs or without; that of a gang is all that it lacks. */
    long largest() {
        return largest;
    }

    /**
     * Whether the next of the queue gets nothing although nodes, the queue and its user have room for it. CapacityScheduler decides
     * by more than that: it keeps what another queue is blocked for, and who holds more comes later.
     */
    boolean isNextKeptWaiting() {
        return isNextKeptWaiting;
    }

    /** Applications that the queue has not activated wait for its limit of ApplicationMasters, not for vcores. */
    void addPlain() {
        for (FiCaSchedulerApp app : leaf.getApplications()) {
            if (Foreign.isPlain(app) || app.isWaitingForAMContainer()) {
                app.getSchedulerKeys().forEach(key -> add(app, key));
            }
        }
    }

    private void add(FiCaSchedulerApp app, SchedulerRequestKey key) {
        PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
        AppPlacementAllocator<FiCaSchedulerNode> places =
                app.getAppSchedulingInfo().getAppPlacementAllocator(key);
        if (ask.getCount() == 0 || places == null || !partition.equals(places.getPrimaryRequestedNodePartition())) {
            return;
        }
        NodePlaces.Places there = rooms.places(ask.getPerAllocationResource());
        ResourceVector size = YarnResources.vector(ask.getPerAllocationResource());
        long count = Math.min(ask.getCount(), there.atAsks());
        // For one node only, or a container that grows: all nodes would keep room for it.
        boolean isForManyNodes = key.getContainerToUpdate() == null && places.canDelayTo(ResourceRequest.ANY);
        boolean isForAnyNode = isForManyNodes
                && places.getSchedulingRequest() == null
                && app.getBlacklistedNodes().isEmpty();
        boolean isServedNow = isForAnyNode
                && there.now() >= ask.getCount()
                && size.times(ask.getCount()).fitsIn(roomNow);
        if (count == 0 || !size.fitsIn(room) || !rooms.mayTake(leaf, app)) {
            return;
        }
        if (isForManyNodes && there.now() > 0 && size.fitsIn(roomNow)) {
            lookAtNext(app, key, ask.getCount(), isForAnyNode);
        }
        if (isServedNow) {
            return;
        }
        // Who wants GPUs may wait for those, unless a node has them.
        sum += NodeDevices.needsDevices(size) ? 0 : count * size.vcores();
        largest = isForManyNodes ? Math.max(largest, size.vcores()) : largest;
    }

    private void lookAtNext(FiCaSchedulerApp app, SchedulerRequestKey key, int count, boolean isForAnyNode) {
        if (!isNextFound) {
            isNextKeptWaiting |= standing.counts(app, key, count, nowMs);
            // One that is particular about nodes may wait for some that are taken: who comes after it may be the next.
            isNextFound = isForAnyNode;
        }
    }

    /** Of a gang without GPUs that could start; tasks that it could have besides come with no ask of theirs. */
    void add(Gang gang) {
        ResourceVector lacks = tasks.lacking(gang);
        // The last task may go above the limit of its user.
        if (lacks.vcores() > 0
                && lacks.fitsIn(room)
                && rooms.mayTake(leaf, gang.user(), lacks.minus(smallestTask(gang)))
                && haveRoom(gang)) {
            sum += lacks.vcores();
            largest = Math.max(largest, lacks.vcores());
        }
    }

    private static ResourceVector smallestTask(Gang gang) {
        return gang.spec().groups().stream()
                .map(GangSpec.Group::resources)
                .reduce(ResourceVector::min)
                .orElse(ResourceVector.ZERO);
    }

    /** Each group by itself. */
    private boolean haveRoom(Gang gang) {
        List<GangSpec.Group> groups = gang.spec().groups();
        return IntStream.range(0, groups.size())
                .allMatch(i -> rooms.places(YarnResources.resource(groups.get(i).resources()))
                                .atAsks()
                        >= tasks.lacking(gang, i));
    }
}
