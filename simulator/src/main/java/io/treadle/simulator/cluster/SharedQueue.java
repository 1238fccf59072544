// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.energy.QueueBudget;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One of the queues that share a partition's nodes, as in YARN's CapacityScheduler.
 *
 * @param path such as {@code root.research.vision}
 * @param capacity the part of the partition that it is sure to get, 0 to 1
 * @param maximum the part that it may hold at most, where others leave it free, 0 to 1
 * @param priority of queues that are all below their capacity, or all above, those with a higher one come first
 * @param policy its own policy; empty for the command's
 * @param placement its own placement; empty for the command's
 * @param powerBudget what the GPUs of its jobs, and of those below it, may draw together; empty for no limit of its own
 * @param takes queues of the trace whose jobs come here, {@link #ALL_OTHERS} for those that no other queue takes
 * @param children queues that share what it has; one that has some takes no jobs itself
 */
public record SharedQueue(
        String path,
        double capacity,
        double maximum,
        int priority,
        Optional<String> policy,
        Optional<String> placement,
        Optional<QueueBudget> powerBudget,
        Set<String> takes,
        List<SharedQueue> children) {
    public static final String ALL_OTHERS = "*";

    /** What divisions may have lost. */
    private static final double ROUNDING = 1e-6;

    public SharedQueue {
        takes = Set.copyOf(takes);
        children = List.copyOf(children);
    }

    /** The last part of its path. */
    public String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** The same with other queues below it. */
    public SharedQueue withChildren(List<SharedQueue> others) {
        return new SharedQueue(path, capacity, maximum, priority, policy, placement, powerBudget, takes, others);
    }

    /** The same that is sure of another part of the partition; queues below it keep their parts of that. */
    public SharedQueue withCapacity(double part) {
        double times = capacity == 0 ? 0 : part / capacity;
        return new SharedQueue(
                path,
                part,
                maximum,
                priority,
                policy,
                placement,
                powerBudget,
                takes,
                children.stream()
                        .map(child -> child.withCapacity(child.capacity * times))
                        .toList());
    }

    /** It, or all below it that take jobs, in the order of the file. */
    public Stream<SharedQueue> leaves() {
        return children.isEmpty() ? Stream.of(this) : children.stream().flatMap(SharedQueue::leaves);
    }

    /** What it is sure to get of {@code all}, in every dimension rounded down. */
    public ResourceVector guarantee(ResourceVector all) {
        return part(all, capacity);
    }

    /** The most that it may hold of {@code all}, in every dimension rounded down. */
    public ResourceVector most(ResourceVector all) {
        return part(all, maximum);
    }

    private static ResourceVector part(ResourceVector all, double part) {
        return new ResourceVector(
                floor(all.gpus() * part),
                floor(all.vcores() * part),
                floor(all.memoryMiB() * part),
                floor(all.gpuMemoryMiB() * part),
                floor(all.storageMBps() * part),
                floor(all.watts() * part));
    }

    private static long floor(double amount) {
        return (long) (amount + ROUNDING);
    }
}
