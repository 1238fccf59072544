// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * All leaf queues, as the queues above them have them now. Any thread may ask: Hadoop's own table of queues is not guarded
 * against a refresh that adds some meanwhile.
 */
final class LeafQueues {
    private LeafQueues() {}

    static List<AbstractLeafQueue> of(CapacityScheduler scheduler) {
        List<AbstractLeafQueue> leaves = new ArrayList<>();
        collect(scheduler.getRootQueue(), leaves);
        return leaves;
    }

    private static void collect(CSQueue queue, List<AbstractLeafQueue> leaves) {
        if (queue instanceof AbstractLeafQueue leaf) {
            leaves.add(leaf);
            return;
        }
        List<CSQueue> children = queue.getChildQueues();
        if (children != null) {
            children.forEach(child -> collect(child, leaves));
        }
    }
}
