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
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * Vcores and memory that applications wait for which have no share of the nodes: those of others, ApplicationMasters, and gangs
 * without GPUs. What jobs have beyond their asks is not to be in their way. Vcores count as far as their queues are guaranteed
 * them. Beyond that a job's own queue has as good a claim, and they count for one ask after the other. Memory counts as far as
 * their queues may hold it. Where one waits beside room that it may have, all counts for a while.
 */
final class OthersWaiting {
    /**
     * How long as many vcores are kept free after fewer are waited for. Applications with short tasks wait again each time
     * that jobs have taken what such a task has left.
     */
    private static final long AFTERWARDS_MS = 30_000;

    private static final String ROOT = "root";

    private final SchedulerAccess scheduler;
    private final RoundTasks tasks;
    private final ProfilingTime measured;
    private final GangReservations reservations;
    private final Map<String, WaitedFor> keptVcores = new ConcurrentHashMap<>();
    private final Map<String, WaitedFor> keptMemory = new ConcurrentHashMap<>();
    private final Map<String, StandingAsks> standingAsks = new ConcurrentHashMap<>();
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
        StandingAsks standing = standingAsks.computeIfAbsent(partition, key -> new StandingAsks());
        standing.lookBegins();
        Map<String, Long> wanted = new HashMap<>();
        boolean isSomebodyKeptWaiting = false;
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
            if (pending.vcores() > 0 && queue instanceof AbstractLeafQueue leaf) {
                QueueAsks asks = new QueueAsks(tasks, rooms, standing, leaf, partition, nowMs);
                asks.addPlain();
                own.stream().filter(gang -> !usesGpus(gang)).forEach(asks::add);
                wanted.merge(path, asks.wanted(), Long::sum);
                largest = Math.max(largest, asks.largest());
                isSomebodyKeptWaiting |= asks.isNextKeptWaiting();
            }
            if (pending.memoryMiB() > 0) {
                mib += memoryMiB(pending.memoryMiB(), rooms.of(queue).memoryMiB(), own);
            }
        }
        long owed = scheduler.queue(ROOT).map(root -> rooms.owed(root, wanted)).orElse(0L);
        // It is not known how much would be enough, nor where.
        ResourceVector all = isSomebodyKeptWaiting
                ? YarnResources.vector(scheduler.partitionResource(partition))
                : ResourceVector.ZERO;
        return ResourceVector.of(
                0,
                kept(keptVcores, partition, Math.max(all.vcores(), Math.max(owed, largest)), AFTERWARDS_MS, nowMs),
                kept(keptMemory, partition, Math.max(all.memoryMiB(), mib), 0, nowMs));
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
        standingAsks.keySet().retainAll(partitions);
    }

    private long memoryMiB(long pending, long room, List<Gang> gangs) {
        // Tasks that a gang may have beside those that it runs with come with no ask of theirs.
        long ours = gangs.stream()
                .map(gang -> usesGpus(gang)
                        ? tasks.pending(gang)
                        : tasks.pending(gang).minus(tasks.lacking(gang)))
                .mapToLong(ResourceVector::memoryMiB)
                .sum();
        return Math.max(0, Math.min(pending - ours, room));
    }

    private static boolean usesGpus(Gang gang) {
        return gang.spec().groups().stream()
                .anyMatch(group ->
                        group.resources().gpus() > 0 || group.resources().gpuMemoryMiB() > 0);
    }
}
