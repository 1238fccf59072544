// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Vcores and memory that applications wait for which have no share of the nodes: those of others, and gangs without GPUs.
 * What jobs have beyond their asks is not to be in their way. Vcores count as far as their queues are guaranteed them:
 * beyond that a job's own queue has as good a claim. Memory counts as far as their queues may hold it.
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
    private final Map<String, Wait> keptVcores = new ConcurrentHashMap<>();
    private final Map<String, Wait> keptMemory = new ConcurrentHashMap<>();
    /** Of this round, by partition: all queues keep the same free. */
    private final Map<String, ResourceVector> counted = new HashMap<>();

    OthersWaiting(SchedulerAccess scheduler, RoundTasks tasks) {
        this.scheduler = scheduler;
        this.tasks = tasks;
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
        long cores = 0;
        long mib = 0;
        for (String path : scheduler.leafQueues()) {
            Optional<CSQueue> queue = scheduler.queue(path);
            if (queue.isPresent()) {
                List<Gang> own = byQueue.getOrDefault(path, List.of());
                cores += owedVcores(queue.get(), partition, own);
                mib += memoryMiB(queue.get(), partition, own);
            }
        }
        return ResourceVector.of(
                0,
                kept(keptVcores, partition, cores, AFTERWARDS_MS, nowMs),
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

    private long owedVcores(CSQueue queue, String partition, List<Gang> gangs) {
        if (!(queue instanceof AbstractLeafQueue leaf)
                || YarnResources.vector(queue.getQueueResourceUsage().getPending(partition))
                                .vcores()
                        == 0) {
            return 0;
        }
        // Applications that the queue has not activated wait for its limit of ApplicationMasters, not for vcores.
        long pending = leaf.getApplications().stream()
                .filter(Foreign::isPlain)
                .mapToLong(app -> askedVcores(app, partition))
                .sum();
        pending += gangs.stream()
                .filter(gang -> !usesGpus(gang))
                .mapToLong(gang -> tasks.pending(gang).vcores())
                .sum();
        long used = QueueLimits.used(queue, partition).vcores();
        // What the queue's own jobs have beyond their asks is no part of what it was given for the asking.
        long beyondAsks = gangs.stream().mapToLong(tasks::vcoresBeyondAsks).sum();
        long owed = QueueLimits.guarantee(queue, partition).vcores() - used + beyondAsks;
        return Math.max(0, Math.min(pending, owed));
    }

    /** That it waits for on nodes of the partition; who wants GPUs may wait for those. */
    private static long askedVcores(FiCaSchedulerApp app, String partition) {
        long vcores = 0;
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            AppPlacementAllocator<FiCaSchedulerNode> asks =
                    app.getAppSchedulingInfo().getAppPlacementAllocator(key);
            PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
            if (asks != null
                    && partition.equals(asks.getPrimaryRequestedNodePartition())
                    && !NodeDevices.needsDevices(YarnResources.vector(ask.getPerAllocationResource()))) {
                vcores += (long) ask.getCount() * ask.getPerAllocationResource().getVirtualCores();
            }
        }
        return vcores;
    }

    private long memoryMiB(CSQueue queue, String partition, List<Gang> gangs) {
        long pending = YarnResources.vector(queue.getQueueResourceUsage().getPending(partition))
                .memoryMiB();
        if (pending == 0) {
            return 0;
        }
        long ours = gangs.stream()
                .filter(OthersWaiting::usesGpus)
                .mapToLong(gang -> tasks.pending(gang).memoryMiB())
                .sum();
        // Were nobody else there: what keeps it waiting may be the jobs' own memory.
        ResourceVector left = QueueLimits.limit(queue, partition).minus(QueueLimits.used(queue, partition));
        return Math.max(0, Math.min(pending - ours, left.memoryMiB()));
    }

    private static boolean usesGpus(Gang gang) {
        return gang.spec().groups().stream()
                .anyMatch(group ->
                        group.resources().gpus() > 0 || group.resources().gpuMemoryMiB() > 0);
    }
}
