// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Vcores and memory that applications wait for which have no share of the nodes: those of others, ApplicationMasters, and gangs
 * without GPUs. What jobs have beyond their asks is not to be in their way. Vcores count as far as their queues are guaranteed
 * them. Beyond that a job's own queue has as good a claim, and they count for one ask after the other. Memory counts as far as
 * their queues may hold it.
 */
final class OthersWaiting {
    /**
     * How long as many vcores are kept free after fewer are waited for. Applications with short tasks wait again each time
     * that jobs have taken what such a task has left.
     */
    private static final long AFTERWARDS_MS = 30_000;

    private final SchedulerAccess scheduler;
    private final RoundTasks tasks;
    private final ProfilingTime measured;
    private final GangReservations reservations;
    private final Map<String, WaitedFor> keptVcores = new ConcurrentHashMap<>();
    private final Map<String, WaitedFor> keptMemory = new ConcurrentHashMap<>();
    /** Of this round, by partition: all queues keep the same free. */
    private final Map<String, ResourceVector> counted = new HashMap<>();

    OthersWaiting(SchedulerAccess scheduler, RoundTasks tasks, ProfilingTime measured, GangReservations reservations) {
        this.scheduler = scheduler;
        this.tasks = tasks;
        this.measured = measured;
        this.reservations = reservations;
    }

    void roundBegins() {
        counted.clear();
    }

    /**
     * What all of them together still ask for; 0 as long as that is new. Counted once in a round.
     *
     * @param gangs all jobs of the partition: what gangs with GPUs ask for is not counted, their ApplicationMasters are
     */
    ResourceVector waiting(String partition, List<Gang> gangs, long nowMs) {
        return counted.computeIfAbsent(partition, key -> count(partition, gangs, nowMs));
    }

    private ResourceVector count(String partition, List<Gang> gangs, long nowMs) {
        Map<String, List<Gang>> byQueue = gangs.stream().collect(Collectors.groupingBy(Gang::queue));
        RoomAtAsks rooms = new RoomAtAsks(scheduler, tasks, measured, reservations, partition, gangs);
        long owed = 0;
        long largest = 0;
        long mib = 0;
        for (String path : scheduler.leafQueues()) {
            CSQueue queue = scheduler.queue(path).orElse(null);
            if (queue == null) {
                continue;
            }
            ResourceVector pending =
                    YarnResources.vector(queue.getQueueResourceUsage().getPending(partition));
            List<Gang> own = byQueue.getOrDefault(path, List.of());
            ResourceVector room = pending.isZero() ? ResourceVector.ZERO : rooms.of(queue);
            if (pending.vcores() > 0 && queue instanceof AbstractLeafQueue leaf) {
                AskedVcores asked = askedVcores(leaf, partition, own, rooms, room);
                owed += owed(leaf, partition, asked, rooms);
                largest = Math.max(largest, asked.largest());
            }
            if (pending.memoryMiB() > 0) {
                mib += memoryMiB(pending.memoryMiB(), room.memoryMiB(), own);
            }
        }
        return ResourceVector.of(
                0,
                kept(keptVcores, partition, Math.max(owed, largest), AFTERWARDS_MS, nowMs),
                kept(keptMemory, partition, mib, 0, nowMs));
    }

    private static long kept(
            Map<String, WaitedFor> waits, String partition, long waiting, long afterwardsMs, long nowMs) {
        WaitedFor now = waits.getOrDefault(partition, WaitedFor.NOTHING).seen(waiting, afterwardsMs, nowMs);
        waits.put(partition, now);
        return now.kept();
    }

    /** Forgets partitions without jobs: who waits there now does not wait for them. */
    void keep(Set<String> partitions) {
        keptVcores.keySet().retainAll(partitions);
        keptMemory.keySet().retainAll(partitions);
    }

    /**
     * What is waited for in one queue, without what has room already.
     *
     * @param sum of all asks without GPUs
     * @param largest of the largest ask that the queue, its user and some node have room for; that of a gang is all that it lacks
     */
    private record AskedVcores(long sum, long largest) {
        AskedVcores and(long more, long startable) {
            return new AskedVcores(sum + more, Math.max(largest, startable));
        }
    }

    /** Applications that the queue has not activated wait for its limit of ApplicationMasters, not for vcores. */
    private AskedVcores askedVcores(
            AbstractLeafQueue leaf, String partition, List<Gang> gangs, RoomAtAsks rooms, ResourceVector room) {
        ResourceVector roomNow = QueueLimits.headroom(leaf, partition, scheduler.clusterResource());
        AskedVcores asked = new AskedVcores(0, 0);
        for (FiCaSchedulerApp app : leaf.getApplications()) {
            if (!Foreign.isPlain(app) && !app.isWaitingForAMContainer()) {
                continue;
            }
            for (SchedulerRequestKey key : app.getSchedulerKeys()) {
                PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
                AppPlacementAllocator<FiCaSchedulerNode> places =
                        app.getAppSchedulingInfo().getAppPlacementAllocator(key);
                if (ask.getCount() == 0
                        || places == null
                        || !partition.equals(places.getPrimaryRequestedNodePartition())) {
                    continue;
                }
                ResourceVector size = YarnResources.vector(ask.getPerAllocationResource());
                RoomAtAsks.Places there = rooms.places(ask.getPerAllocationResource());
                if (there.now() >= ask.getCount() && size.times(ask.getCount()).fitsIn(roomNow)) {
                    continue;
                }
                boolean isStartable = key.getContainerToUpdate() == null
                        && places.canDelayTo(ResourceRequest.ANY)
                        && size.vcores() > asked.largest()
                        && size.fitsIn(room)
                        && there.atAsks() > 0
                        && rooms.mayTake(leaf, app);
                // Who wants GPUs may wait for those, unless a node has them.
                long sum = NodeDevices.needsDevices(size) ? 0 : ask.getCount() * size.vcores();
                asked = asked.and(sum, isStartable ? size.vcores() : 0);
            }
        }
        for (Gang gang : gangs) {
            if (!usesGpus(gang)) {
                ResourceVector lacks = lacks(gang);
                boolean isStartable = lacks.vcores() > asked.largest()
                        && lacks.fitsIn(room)
                        && rooms.mayTake(leaf, gang.user(), lacks.minus(smallestTask(gang)))
                        && haveRoom(gang, rooms);
                asked = asked.and(tasks.pending(gang).vcores(), isStartable ? lacks.vcores() : 0);
            }
        }
        return asked;
    }

    /** What a gang needs to start; nothing where it runs. */
    private ResourceVector lacks(Gang gang) {
        ResourceVector lacks = ResourceVector.ZERO;
        for (int i = 0; i < gang.spec().groups().size(); i++) {
            lacks = lacks.plus(gang.spec().groups().get(i).resources().times(tasks.lacking(gang, i)));
        }
        return lacks;
    }

    /** The last one may go above the limit of its user. */
    private static ResourceVector smallestTask(Gang gang) {
        return gang.spec().groups().stream()
                .map(GangSpec.Group::resources)
                .reduce(ResourceVector::min)
                .orElse(ResourceVector.ZERO);
    }

    /** Each group by itself. */
    private boolean haveRoom(Gang gang, RoomAtAsks rooms) {
        List<GangSpec.Group> groups = gang.spec().groups();
        return IntStream.range(0, groups.size())
                .allMatch(i -> rooms.places(YarnResources.resource(groups.get(i).resources()))
                                .atAsks()
                        >= tasks.lacking(gang, i));
    }

    private static long owed(AbstractLeafQueue leaf, String partition, AskedVcores asked, RoomAtAsks rooms) {
        // What the queue's own jobs have beyond their asks is no part of what it was given for the asking.
        long owed = QueueLimits.guarantee(leaf, partition).vcores()
                - rooms.heldBy(leaf).vcores();
        return Math.max(0, Math.min(asked.sum(), owed));
    }

    private long memoryMiB(long pending, long room, List<Gang> gangs) {
        long ours = gangs.stream()
                .filter(OthersWaiting::usesGpus)
                .mapToLong(gang -> tasks.pending(gang).memoryMiB())
                .sum();
        return Math.max(0, Math.min(pending - ours, room));
    }

    private static boolean usesGpus(Gang gang) {
        return gang.spec().groups().stream()
                .anyMatch(group ->
                        group.resources().gpus() > 0 || group.resources().gpuMemoryMiB() > 0);
    }
}
