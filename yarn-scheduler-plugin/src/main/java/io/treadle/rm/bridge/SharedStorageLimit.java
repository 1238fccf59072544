// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.SharedStorage;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * What the file system gives that all nodes share ({@code docs/adr/0014}). YARN knows what each node has and no more:
 * so every container that asks for storage bandwidth, of whatever application, is counted here before it is committed.
 */
public final class SharedStorageLimit {
    private final SchedulerAccess scheduler;
    private final long megabytesPerSecond;

    /** @param megabytesPerSecond MB/s; 0 for no limit */
    public SharedStorageLimit(SchedulerAccess scheduler, long megabytesPerSecond) {
        this.scheduler = scheduler;
        this.megabytesPerSecond = megabytesPerSecond;
    }

    /** As a policy sees it that plans for the nodes of one partition; empty for no limit. */
    Optional<SharedStorage> seenFrom(String partition) {
        if (megabytesPerSecond == 0) {
            return Optional.empty();
        }
        long gpus = 0;
        long elsewhere = 0;
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            gpus += YarnResources.vector(node.getTotalResource()).gpus();
            elsewhere += node.getPartition().equals(partition) ? 0 : held(node);
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
        return YarnResources.vector(node.getAllocatedResource()).storageMBps();
    }

    /**
     * Commits a proposal where there is room for what it takes; nothing else comes between.
     *
     * @return false where there is none, or the commit says so
     */
    public boolean commit(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request, BooleanSupplier commit) {
        long more = megabytesPerSecond == 0 || request.getContainersToAllocate().isEmpty()
                ? 0
                : YarnResources.vector(request.getTotalAllocatedResource()).storageMBps();
        if (more <= 0) {
            return commit.getAsBoolean();
        }
        synchronized (this) {
            if (more <= freeMBps()) {
                return commit.getAsBoolean();
            }
        }
        ProposalGuard.refused(request);
        return false;
    }
}
