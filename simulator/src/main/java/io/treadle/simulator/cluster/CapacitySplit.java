// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Splits anew, among the queues below one, what that one is sure to get, in percents of it. */
public final class CapacitySplit {
    private static final double ALL = 100;

    /** What divisions may have lost, in percents. */
    private static final double ROUNDING = 1e-6;

    private final SimCluster cluster;
    private final Partition partition;
    private final SharedQueue parent;

    /**
     * @param partition of the cluster
     * @param parent of the partition, with a capacity above 0
     */
    public CapacitySplit(SimCluster cluster, Partition partition, SharedQueue parent) {
        this.cluster = cluster;
        this.partition = partition;
        this.parent = parent;
    }

    public SharedQueue parent() {
        return parent;
    }

    /** What a queue below the parent has now. */
    public double now(SharedQueue queue) {
        return ALL * queue.capacity() / parent.capacity();
    }

    /** The most whole percents with which neither the queue nor one below it is sure of more than it may hold. */
    public int most(SharedQueue queue) {
        double percent = queue.capacity() == 0
                ? ALL * queue.maximum() / parent.capacity()
                : now(queue) * growths(queue).min().orElse(1);
        return (int) Math.min(ALL, percent + ROUNDING);
    }

    /** How many times what each is sure of it may hold. */
    private static DoubleStream growths(SharedQueue queue) {
        DoubleStream own =
                queue.capacity() == 0 ? DoubleStream.empty() : DoubleStream.of(queue.maximum() / queue.capacity());
        return DoubleStream.concat(own, queue.children().stream().flatMapToDouble(CapacitySplit::growths));
    }

    /** GPUs that a queue is sure of with so many percents. */
    public long gpus(double percent) {
        return parent.withCapacity(part(percent))
                .guarantee(partition.capacity())
                .gpus();
    }

    private double part(double percent) {
        return parent.capacity() * percent / ALL;
    }

    /** @param percents of each queue below the parent, in their order */
    public SimCluster with(List<Integer> percents) {
        List<SharedQueue> queues = new ArrayList<>();
        for (SharedQueue queue : parent.children()) {
            queues.add(queue.withCapacity(part(percents.get(queues.size()))));
        }
        SharedQueue root = replaced(partition.root().orElseThrow(), parent.withChildren(queues));
        return cluster.with(cluster.partitions().stream()
                .map(each -> each.equals(partition) ? partition.withRoot(root) : each)
                .toList());
    }

    private static SharedQueue replaced(SharedQueue queue, SharedQueue other) {
        return queue.path().equals(other.path())
                ? other
                : queue.withChildren(queue.children().stream()
                        .map(child -> replaced(child, other))
                        .toList());
    }
}
