// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.SharedStorage;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * What the file system gives that all nodes share ({@code docs/adr/0014}). YARN knows what each node has and no more:
 * so every container that asks for storage bandwidth, of whatever application, is counted here before it is committed.
 */
public final class SharedStorageLimit {
    /** So old may be what {@link #mayHave} compares with: it is asked for each node, and the sum walks all nodes. */
    private static final long STALE_MS = 50;

    private record Free(long megabytesPerSecond, long atMs) {}

    private final SchedulerAccess scheduler;
    private final long megabytesPerSecond;
    private volatile Free lastFree = new Free(0, Long.MIN_VALUE / 2);

    /** @param megabytesPerSecond MB/s; 0 for no limit */
    public SharedStorageLimit(SchedulerAccess scheduler, long megabytesPerSecond) {
        this.scheduler = scheduler;
        this.megabytesPerSecond = megabytesPerSecond;
    }

    /** As a policy sees it that plans for the nodes of these partitions; empty for no limit. */
    Optional<SharedStorage> seenFrom(Set<String> partitions) {
        if (megabytesPerSecond == 0) {
            return Optional.empty();
        }
        long gpus = 0;
        long elsewhere = 0;
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            gpus += YarnResources.vector(node.getTotalResource()).gpus();
            elsewhere += partitions.contains(node.getPartition()) ? 0 : held(node);
        }
        return Optional.of(new SharedStorage(megabytesPerSecond, elsewhere, gpus));
    }

    /** MB/s that nobody holds; below zero where more was recovered than there is. */
    public long freeMBps() {
        return megabytesPerSecond == 0
                ? Long.MAX_VALUE
                : megabytesPerSecond
                        - scheduler.nodes().stream()
                                .mapToLong(SharedStorageLimit::held)
                                .sum();
    }

    private static long held(FiCaSchedulerNode node) {
        return YarnResources.storageMBps(node.getAllocatedResource());
    }

    /**
     * Whether there is room for what a proposal takes; constant time where that is none. The caller holds the scheduler's write
     * lock until the proposal is committed, so that nothing comes between.
     */
    public boolean hasRoomFor(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (megabytesPerSecond == 0 || request.getContainersToAllocate().isEmpty()) {
            return true;
        }
        long more = YarnResources.storageMBps(request.getTotalAllocatedResource());
        if (more <= 0) {
            return true;
        }
        long free = freeMBps();
        lastFree = new Free(free, Time.monotonicNow());
        return more <= free;
    }

    /** Whether a container that takes so many MB/s is worth a proposal; the commit looks again. */
    boolean mayHave(long more) {
        if (megabytesPerSecond == 0 || more <= 0) {
            return true;
        }
        long nowMs = Time.monotonicNow();
        Free free = lastFree;
        if (nowMs - free.atMs() > STALE_MS) {
            free = new Free(freeMBps(), nowMs);
            lastFree = free;
        }
        return more <= free.megabytesPerSecond();
    }
}
