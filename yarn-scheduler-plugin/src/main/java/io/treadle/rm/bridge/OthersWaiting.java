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
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * Memory that applications wait for which have no share of the nodes: those of others, and gangs without GPUs. No job's
 * cache is to be in their way.
 */
final class OthersWaiting {
    /** Who waits for less long is about to be served anyway. */
    private static final long PATIENCE_MS = 3_000;

    private final SchedulerAccess scheduler;
    private final RoundTasks tasks;
    /** By partition, since when somebody has been waiting, ms. */
    private final Map<String, Long> since = new ConcurrentHashMap<>();
    /** Of this round, by partition, MiB: all queues keep the same free. */
    private final Map<String, Long> counted = new HashMap<>();

    OthersWaiting(SchedulerAccess scheduler, RoundTasks tasks) {
        this.scheduler = scheduler;
        this.tasks = tasks;
    }

    void roundBegins() {
        counted.clear();
    }

    /**
     * MiB that all of them together still ask for, as far as their queues may hold it; 0 as long as that is new. Counted once
     * in a round.
     *
     * @param gangs all jobs of the cluster: what gangs with GPUs ask for is not counted, their ApplicationMasters are
     */
    long memoryMiB(String partition, List<Gang> gangs, long nowMs) {
        return counted.computeIfAbsent(partition, key -> count(partition, gangs, nowMs));
    }

    private long count(String partition, List<Gang> gangs, long nowMs) {
        Map<String, List<Gang>> byQueue = gangs.stream().collect(Collectors.groupingBy(Gang::queue));
        long waiting = 0;
        for (String path : scheduler.leafQueues()) {
            Optional<CSQueue> queue = scheduler.queue(path);
            if (queue.isPresent()) {
                waiting += memoryMiB(queue.get(), partition, byQueue.getOrDefault(path, List.of()));
            }
        }
        if (waiting == 0) {
            since.remove(partition);
            return 0;
        }
        return nowMs - since.computeIfAbsent(partition, key -> nowMs) >= PATIENCE_MS ? waiting : 0;
    }

    /** Forgets partitions without jobs: who waits there now does not wait for them. */
    void keep(Set<String> partitions) {
        since.keySet().retainAll(partitions);
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
