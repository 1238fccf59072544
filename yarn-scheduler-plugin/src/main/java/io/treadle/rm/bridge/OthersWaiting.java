// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
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
    /** Who waits for less long is about to be served anyway. */
    private static final long PATIENCE_MS = 3_000;
    /**
     * How long as many vcores are kept free after fewer are waited for. Applications with short tasks wait again each time
     * that jobs have taken what such a task has left.
     */
    private static final long AFTERWARDS_MS = 30_000;

    private final SchedulerAccess scheduler;
    private final RoundTasks tasks;
    private final ProfilingTime measured;
    private final Map<String, Wait> keptVcores = new ConcurrentHashMap<>();
    private final Map<String, Wait> keptMemory = new ConcurrentHashMap<>();
    /** Of this round, by partition: all queues keep the same free. */
    private final Map<String, ResourceVector> counted = new HashMap<>();

    OthersWaiting(SchedulerAccess scheduler, RoundTasks tasks, ProfilingTime measured) {
        this.scheduler = scheduler;
        this.tasks = tasks;
        this.measured = measured;
    }

    /**
     * What is waited for in one partition.
     *
     * @param kept what is kept free for it
     * @param keptMs when so much was last waited for
     * @param sinceMs since when somebody has been waiting
     */
    private record Wait(long kept, long keptMs, long sinceMs) {
        private static final Wait NONE = new Wait(0, 0, Long.MAX_VALUE);

        Wait seen(long waiting, long afterwardsMs, long nowMs) {
            long since = waiting > 0 ? Math.min(sinceMs, nowMs) : Long.MAX_VALUE;
            long due = waiting > 0 && nowMs - since >= PATIENCE_MS ? waiting : 0;
            return due < kept && nowMs - keptMs < afterwardsMs
                    ? new Wait(kept, keptMs, since)
                    : new Wait(due, nowMs, since);
        }
    }

    void roundBegins() {
        counted.clear();
    }

    /**
     * What all of them together still ask for; 0 as long as that is new. Counted once in a round.
     *
     * @param gangs all jobs of the cluster: what gangs with GPUs ask for is not counted, their ApplicationMasters are
     */
    ResourceVector waiting(String partition, List<Gang> gangs, long nowMs) {
        return counted.computeIfAbsent(partition, key -> count(partition, gangs, nowMs));
    }

    private ResourceVector count(String partition, List<Gang> gangs, long nowMs) {
        Map<String, List<Gang>> byQueue = gangs.stream().collect(Collectors.groupingBy(Gang::queue));
        RoomAtAsks rooms = new RoomAtAsks(scheduler, tasks, measured, partition, gangs);
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

    private static long kept(Map<String, Wait> waits, String partition, long waiting, long afterwardsMs, long nowMs) {
        Wait now = waits.getOrDefault(partition, Wait.NONE).seen(waiting, afterwardsMs, nowMs);
        waits.put(partition, now);
        return now.kept();
    }

    /** Forgets partitions without jobs: who waits there now does not wait for them. */
    void keep(Set<String> partitions) {
        keptVcores.keySet().retainAll(partitions);
        keptMemory.keySet().retainAll(partitions);
    }

    /**
     * What is asked for in one queue.
     *
     * @param sum of all asks
     * @param largest of the largest ask that the queue, its user and some node have room for; that of a gang is all that it lacks
     */
    private record AskedVcores(long sum, long largest) {}

    /** Applications that the queue has not activated wait for its limit of ApplicationMasters, not for vcores. */
    private AskedVcores askedVcores(
            AbstractLeafQueue leaf, String partition, List<Gang> gangs, RoomAtAsks rooms, ResourceVector room) {
        long sum = 0;
        long largest = 0;
        for (FiCaSchedulerApp app : leaf.getApplications()) {
            if (!Foreign.isPlain(app) && !app.isWaitingForAMContainer()) {
                continue;
            }
            for (SchedulerRequestKey key : app.getSchedulerKeys()) {
                PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
                if (ask.getCount() > 0 && isForVcoresOf(partition, app, key, ask)) {
                    ResourceVector size = vcoresAndMemory(YarnResources.vector(ask.getPerAllocationResource()));
                    sum += ask.getCount() * size.vcores();
                    if (size.vcores() > largest && size.fitsIn(room) && rooms.hasRoomFor(leaf, app.getUser(), size)) {
                        largest = size.vcores();
                    }
                }
            }
        }
        for (Gang gang : gangs) {
            ResourceVector whole = usesGpus(gang) ? ResourceVector.ZERO : vcoresAndMemory(tasks.pending(gang));
            sum += whole.vcores();
            if (whole.vcores() > largest
                    && whole.fitsIn(room)
                    && rooms.hasRoomForAll(leaf, gang.user(), largestTask(gang), whole)) {
                largest = whole.vcores();
            }
        }
        return new AskedVcores(sum, largest);
    }

    private static ResourceVector vcoresAndMemory(ResourceVector size) {
        return ResourceVector.of(0, size.vcores(), size.memoryMiB());
    }

    private static ResourceVector largestTask(Gang gang) {
        return gang.spec().groups().stream()
                .map(group -> vcoresAndMemory(group.resources()))
                .reduce(ResourceVector.ZERO, ResourceVector::max);
    }

    /** On nodes of the partition; who wants GPUs may wait for those. */
    private static boolean isForVcoresOf(
            String partition, FiCaSchedulerApp app, SchedulerRequestKey key, PendingAsk ask) {
        AppPlacementAllocator<FiCaSchedulerNode> asks =
                app.getAppSchedulingInfo().getAppPlacementAllocator(key);
        return asks != null
                && partition.equals(asks.getPrimaryRequestedNodePartition())
                && !NodeDevices.needsDevices(YarnResources.vector(ask.getPerAllocationResource()));
    }

    private static long owed(AbstractLeafQueue leaf, String partition, AskedVcores asked, RoomAtAsks rooms) {
        // What the queue's own jobs have beyond their asks is no part of what it was given for the asking.
        long used = QueueLimits.used(leaf, partition).vcores()
                - rooms.beyondAsksOf(leaf).vcores();
        return Math.max(
                0, Math.min(asked.sum(), QueueLimits.guarantee(leaf, partition).vcores() - used));
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
