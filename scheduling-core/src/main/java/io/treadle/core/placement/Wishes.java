// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.resource.ResourceVector;
import java.util.Arrays;

/** What tasks could use beyond what is charged for them: they are to grow, as far as there is room, once all are placed. */
public final class Wishes {
    private final ResourceVector[] beyond;
    private final TaskSizer wish;

    private Wishes(ResourceVector[] beyond, TaskSizer wish) {
        this.beyond = beyond;
        this.wish = wish;
    }

    /** Nothing is wished for yet. */
    public static Wishes none(int nodes) {
        ResourceVector[] beyond = new ResourceVector[nodes];
        Arrays.fill(beyond, ResourceVector.ZERO);
        return new Wishes(beyond, (group, node) -> ResourceVector.ZERO);
    }

    /** The same wishes, seen by a job whose tasks could use what {@code size} says. */
    public Wishes of(TaskSizer size) {
        return new Wishes(beyond, size);
    }

    /** A task that is charged {@code size} on the node could use {@code most}. */
    public void add(int node, ResourceVector size, ResourceVector most) {
        beyond[node] = beyond[node].plus(most.minus(size).max(ResourceVector.ZERO));
    }

    /** All that tasks on the node could use beyond what is charged. */
    ResourceVector beyond(int node) {
        return beyond[node];
    }

    /** What a task of the job that is placed could use. */
    TaskSizer wish() {
        return wish;
    }
}
