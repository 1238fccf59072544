// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.resource.ResourceVector;

/** What tasks could use beyond what is charged for them: they are to grow, as far as there is room, once all are placed. */
public final class Wishes {
    private final AlikeNodes nodes;
    private final TaskSizer wish;
    private final TaskSpeed speed;

    private Wishes(AlikeNodes nodes, TaskSizer wish, TaskSpeed speed) {
        this.nodes = nodes;
        this.wish = wish;
        this.speed = speed;
    }

    /** Nothing is wished for yet. */
    public static Wishes none(Ledger ledger) {
        return new Wishes(new AlikeNodes(ledger), (group, node) -> ResourceVector.ZERO, TaskSpeed.UNKNOWN);
    }

    /** The same wishes, seen by a job whose tasks could use what {@code size} says, and are as fast as {@code speed}. */
    public Wishes of(TaskSizer size, TaskSpeed speed) {
        return new Wishes(nodes, size, speed);
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

    TaskSpeed speed() {
        return speed;
    }
}
