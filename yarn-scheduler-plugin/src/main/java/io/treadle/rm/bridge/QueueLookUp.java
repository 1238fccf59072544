// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractCSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.jspecify.annotations.Nullable;

/** Reads a queue's settings: an auto-created queue has those of its template only in its own configuration. */
public final class QueueLookUp {
    private QueueLookUp() {}

    public static UnaryOperator<@Nullable String> of(CapacityScheduler scheduler, @Nullable CSQueue queue) {
        return key -> {
            String own = key != null && queue instanceof AbstractCSQueue own0
                    ? own0.getQueueContext().getConfiguration().get(key)
                    : null;
            return own != null ? own : scheduler.getConfiguration().get(key);
        };
    }
}
