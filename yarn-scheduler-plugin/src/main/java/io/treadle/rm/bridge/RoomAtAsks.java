// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * What queues could still take if all jobs had no more than they ask for. A queue that is full of what its own jobs have beyond
 * their asks would otherwise look as if nobody in it could get more.
 */
final class RoomAtAsks {
    /** By leaf queue. */
    private final Map<String, ResourceVector> beyondAsks = new HashMap<>();

    /** @param gangs all jobs of the partition */
    RoomAtAsks(RoundTasks tasks, List<Gang> gangs) {
        gangs.forEach(gang -> beyondAsks.merge(gang.queue(), tasks.beyondAsks(gang), ResourceVector::plus));
    }

    /** By the queue's maximum and that of every queue above it; below zero where it holds more. */
    ResourceVector of(CSQueue queue, String partition) {
        ResourceVector room = roomOf(queue, partition);
        for (CSQueue above = queue.getParent(); above != null; above = above.getParent()) {
            room = room.min(roomOf(above, partition));
        }
        return room;
    }

    private ResourceVector roomOf(CSQueue level, String partition) {
        return QueueLimits.room(level, partition).plus(QueueLimits.below(level, beyondAsks));
    }

    /** What the jobs of a leaf queue have beyond their asks. */
    ResourceVector beyondAsksOf(CSQueue leaf) {
        return beyondAsks.getOrDefault(leaf.getQueuePath(), ResourceVector.ZERO);
    }
}
