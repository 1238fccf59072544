// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractCSQueue.CapacityConfigType;
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
            headroom = headroom.min(room(level, partition));
        }
        return headroom.max(ResourceVector.ZERO);
    }

    /**
     * What asks without a label may still take on nodes of a partition that is not exclusive; never below zero. YARN looks at no
     * queue's maximum there: what is idle would be of use to nobody.
     *
     * @param all what the partition has
     */
    static ResourceVector lentHeadroom(CSQueue queue, String partition, ResourceVector all) {
        return all.minus(used(root(queue), partition)).max(ResourceVector.ZERO);
    }

    /** The queue above all. */
    static CSQueue root(CSQueue queue) {
        CSQueue root = queue;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root;
    }

    /** What the queue may still take by its own maximum; below zero where it holds more. */
    static ResourceVector room(CSQueue queue, String partition) {
        return maximum(queue, partition).minus(used(queue, partition));
    }

    /**
     * What the queue could hold, were nobody else there, with more nodes: most limits are shares of what is on.
     *
     * @param on all nodes of the partition
     * @param all the same with those that are there for the asking
     */
    static ResourceVector limitWith(CSQueue queue, String partition, ResourceVector on, ResourceVector all) {
        ResourceVector limit = all;
        for (CSQueue level = queue; level != null; level = level.getParent()) {
            limit = limit.min(maximumWith(level, partition, on, all));
        }
        return limit;
    }

    /** What the queue could take with more nodes, as {@link #limitWith}; never below zero. */
    static ResourceVector headroomWith(CSQueue queue, String partition, ResourceVector on, ResourceVector all) {
        ResourceVector headroom = all;
        for (CSQueue level = queue; level != null; level = level.getParent()) {
            headroom = headroom.min(maximumWith(level, partition, on, all).minus(used(level, partition)));
        }
        return headroom.max(ResourceVector.ZERO);
    }

    /** The leaf queue and those of the queues above it that are not above the other leaf queue as well. */
    static Stream<CSQueue> apart(CSQueue leaf, CSQueue other) {
        return Stream.concat(
                Stream.of(leaf),
                Stream.iterate(leaf.getParent(), Objects::nonNull, CSQueue::getParent)
                        .takeWhile(level -> !isBelow(other.getQueuePath(), level)));
    }

    /** The sum of what is told of the level and of the leaf queues below it, by path. */
    static ResourceVector below(CSQueue level, Map<String, ResourceVector> leaves) {
        return leaves.entrySet().stream()
                .filter(leaf -> isBelow(leaf.getKey(), level))
                .map(Map.Entry::getValue)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** Whether it is the path of the level, or of a queue below it. */
    static boolean isBelow(String path, CSQueue level) {
        String above = level.getQueuePath();
        return path.equals(above) || path.startsWith(above + ".");
    }

    private static ResourceVector maximumWith(CSQueue queue, String partition, ResourceVector on, ResourceVector all) {
        ResourceVector maximum = maximum(queue, partition);
        return queue.getCapacityConfigType() == CapacityConfigType.ABSOLUTE_RESOURCE
                ? absolute(queue, partition, all)
                : grown(maximum, on, all);
    }

    /** In amounts and not in shares: more nodes make it no larger than it was set to. */
    private static ResourceVector absolute(CSQueue queue, String partition, ResourceVector all) {
        ResourceVector set = YarnResources.vector(queue.getQueueResourceQuotas().getConfiguredMaxResource(partition));
        // What is left out of it is as YARN has it now.
        return set.equals(ResourceVector.ZERO)
                ? all
                : set.max(maximum(queue, partition)).min(all);
    }

    private static ResourceVector grown(ResourceVector limit, ResourceVector on, ResourceVector all) {
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
