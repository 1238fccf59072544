// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/** What CapacityScheduler lets a queue hold. */
final class QueueLimits {
    private QueueLimits() {}

    static ResourceVector used(CSQueue queue, String partition) {
        return YarnResources.vector(queue.getQueueResourceUsage().getUsed(partition));
    }

    /** What the queue is sure to get. */
    static ResourceVector guarantee(CSQueue queue, String partition) {
        return YarnResources.vector(queue.getEffectiveCapacity(partition));
    }

    /** The most that the queue may hold, everything counted, were nobody else there. */
    static ResourceVector limit(CSQueue queue, String partition) {
        ResourceVector limit = maximum(queue, partition);
        for (CSQueue above = queue.getParent(); above != null; above = above.getParent()) {
            limit = limit.min(maximum(above, partition));
        }
        return limit;
    }

    /** What the queue may still take, by its own maximum and by that of every queue above it; never below zero. */
    static ResourceVector headroom(CSQueue queue, String partition, Resource cluster) {
        ResourceVector headroom = YarnResources.vector(cluster);
        for (CSQueue level = queue; level != null; level = level.getParent()) {
            headroom = headroom.min(maximum(level, partition).minus(used(level, partition)));
        }
        return headroom.max(ResourceVector.ZERO);
    }

    /**
     * What a limit would be with more nodes: it is a share of what is on.
     *
     * @param on all nodes of the partition
     * @param all the same with those that are there for the asking
     */
    static ResourceVector grown(ResourceVector limit, ResourceVector on, ResourceVector all) {
        return new ResourceVector(
                grown(limit.gpus(), on.gpus(), all.gpus()),
                grown(limit.vcores(), on.vcores(), all.vcores()),
                grown(limit.memoryMiB(), on.memoryMiB(), all.memoryMiB()),
                grown(limit.gpuMemoryMiB(), on.gpuMemoryMiB(), all.gpuMemoryMiB()),
                grown(limit.storageMBps(), on.storageMBps(), all.storageMBps()),
                grown(limit.watts(), on.watts(), all.watts()));
    }

    private static long grown(long limit, long on, long all) {
        return on > 0 ? Math.round((double) limit * all / on) : all;
    }

    private static ResourceVector maximum(CSQueue queue, String partition) {
        return YarnResources.vector(queue.getEffectiveMaxCapacity(partition));
    }
}
