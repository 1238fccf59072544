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

    private static ResourceVector maximum(CSQueue queue, String partition) {
        return YarnResources.vector(queue.getEffectiveMaxCapacity(partition));
    }
}
