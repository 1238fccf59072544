// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SharedQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A queue, what it may hold and what it holds. */
final class Account {
    private final SharedQueue queue;
    private final Optional<Account> parent;
    private final List<Account> children = new ArrayList<>();
    private final ResourceVector all;
    private final ResourceVector guarantee;
    private final ResourceVector most;
    private ResourceVector used = ResourceVector.ZERO;

    /** @param all what the partition has */
    Account(SharedQueue queue, Optional<Account> parent, ResourceVector all) {
        this.queue = queue;
        this.parent = parent;
        this.all = all;
        this.guarantee = queue.guarantee(all);
        this.most = queue.most(all);
        queue.children().forEach(child -> children.add(new Account(child, Optional.of(this), all)));
    }

    SharedQueue queue() {
        return queue;
    }

    Optional<Account> parent() {
        return parent;
    }

    ResourceVector guarantee() {
        return guarantee;
    }

    ResourceVector most() {
        return most;
    }

    ResourceVector used() {
        return used;
    }

    boolean isAtOrBelow(Account other) {
        return this == other || parent.map(above -> above.isAtOrBelow(other)).orElse(false);
    }

    /** @param change below zero for what is given back */
    void charge(ResourceVector change) {
        used = used.plus(change);
        parent.ifPresent(above -> above.charge(change));
    }

    /** The most that it may hold while the others hold what they do, everything counted. */
    ResourceVector limit() {
        return used.plus(headroom().max(ResourceVector.ZERO));
    }

    private ResourceVector headroom() {
        ResourceVector own = most.minus(used);
        return parent.map(above -> own.min(above.headroom())).orElse(own);
    }

    /** Tells each queue that takes jobs, in the order in which CapacityScheduler serves them. */
    void inOrder(Consumer<Account> leaf) {
        if (children.isEmpty()) {
            leaf.accept(this);
            return;
        }
        List<Account> ordered = new ArrayList<>(children);
        ordered.sort(ORDER);
        ordered.forEach(child -> child.inOrder(leaf));
    }

    /**
     * As Hadoop's {@code PriorityUtilizationQueueOrderingPolicy}: queues without a guarantee come last; those below
     * their guarantee come before the others; then higher priorities, then those that use least of their guarantee, then
     * the larger guarantee.
     */
    private static final Comparator<Account> ORDER = Comparator.comparing((Account a) -> a.queue.capacity() == 0)
            .thenComparing(a -> a.use() >= 1)
            .thenComparing(
                    Comparator.comparingInt((Account a) -> a.queue.priority()).reversed())
            .thenComparingDouble(Account::use)
            .thenComparing(Comparator.comparingDouble((Account a) -> a.queue.capacity())
                    .reversed());

    private double use() {
        return queue.capacity() == 0 ? share(used) : relative(used);
    }

    /** Whether it is above its guarantee where it holds this. */
    boolean isAboveGuarantee(ResourceVector held) {
        return relative(held) > 1;
    }

    /** Held over the guarantee, each by the resource of which it is the largest share of the partition. */
    private double relative(ResourceVector held) {
        double share = share(held);
        return share == 0 ? 0 : share / share(guarantee);
    }

    private double share(ResourceVector held) {
        double share = Math.max(ratio(held.gpus(), all.gpus()), ratio(held.vcores(), all.vcores()));
        share = Math.max(share, ratio(held.memoryMiB(), all.memoryMiB()));
        share = Math.max(share, ratio(held.gpuMemoryMiB(), all.gpuMemoryMiB()));
        share = Math.max(share, ratio(held.storageMBps(), all.storageMBps()));
        return Math.max(share, ratio(held.watts(), all.watts()));
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
