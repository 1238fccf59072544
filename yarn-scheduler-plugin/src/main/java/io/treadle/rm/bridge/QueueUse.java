// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * How full a queue is at one moment.
 *
 * @param used what it holds, everything counted
 * @param limit the most that it may hold, everything counted
 */
record QueueUse(ResourceVector used, ResourceVector limit) {
    static QueueUse of(CSQueue queue, String partition, Resource cluster) {
        ResourceVector used = QueueLimits.used(queue, partition);
        // A queue may be full because a queue above it is.
        return new QueueUse(used, used.plus(QueueLimits.headroom(queue, partition, cluster)));
    }

    /**
     * The less full of two moments. Containers start and end while nodes are read: one that is counted in the queue and
     * not on its node would make a running job smaller for a round, where a plan that takes too much is only refused.
     */
    QueueUse orFreer(QueueUse other) {
        return new QueueUse(used.min(other.used), limit.max(other.limit));
    }
}
