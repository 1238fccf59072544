// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.resource.ResourceVector;

/** What tasks could use beyond what is charged for them: they are to grow, as far as there is room, once all are placed. */
public final class Wishes {
    private final AlikeNodes nodes;
    private final TaskSizer wish;

    private Wishes(AlikeNodes nodes, TaskSizer wish) {
        this.nodes = nodes;
        this.wish = wish;
    }

    /** Nothing is wished for yet. */
    public static Wishes none(Ledger ledger) {
        return new Wishes(new AlikeNodes(ledger), (group, node) -> ResourceVector.ZERO);
    }

    /** The same wishes, seen by a job whose tasks could use what {@code size} says. */
    public Wishes of(TaskSizer size) {
        return new Wishes(nodes, size);
    }

    /** A task that is charged {@code size} on the node could use {@code most}. */
    public void add(int node, ResourceVector size, ResourceVector most) {
        ResourceVector more = most.minus(size).max(ResourceVector.ZERO);
        if (!more.isZero()) {
            nodes.wish(node, more);
        }
    }

    AlikeNodes nodes() {
        return nodes;
    }

    /** What a task of the job that is placed could use. */
    TaskSizer wish() {
        return wish;
    }
}
