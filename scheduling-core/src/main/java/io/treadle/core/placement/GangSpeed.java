// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How fast a gang would be on one node, where its tasks may not grow as they could, and on several. */
final class GangSpeed {
    private final Wishes wishes;
    private final Ledger ledger;
    private final TaskSizer sizer;

    GangSpeed(Wishes wishes, Ledger ledger, TaskSizer sizer) {
        this.wishes = wishes;
        this.ledger = ledger;
        this.sizer = sizer;
    }

    /** Once its tasks have shared what nobody there has or wishes for; the slowest of them counts. */
    double onNode(int node, List<TaskGroup> tasks) {
        NodeView view = ledger.node(node);
        ResourceVector left =
                ledger.free(node).minus(view.keptFree()).minus(wishes.nodes().beyond(node));
        int growing = 0;
        for (TaskGroup task : tasks) {
            left = left.minus(sizer.size(task, view));
            growing += wishes.wish().size(task, view).fitsIn(sizer.size(task, view)) ? 0 : 1;
        }
        ResourceVector more = left.max(ResourceVector.ZERO).share(1, Math.max(1, growing));
        double slowest = Double.POSITIVE_INFINITY;
        for (TaskGroup task : tasks) {
            ResourceVector size = sizer.size(task, view);
            ResourceVector grown = size.plus(more).min(wishes.wish().size(task, view));
            slowest = Math.min(slowest, wishes.speed().speed(task, view, grown.max(size)));
        }
        return slowest;
    }

    /** Where each has what {@code sizes} says, or what it is charged; what it costs to talk over the network counted. */
    double of(List<TaskPlacement> places, List<TaskGroup> tasks, TaskSizer sizes) {
        Set<Integer> nodes = new HashSet<>();
        Set<Integer> racks = new HashSet<>();
        double slowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < tasks.size(); i++) {
            int node = ledger.indexOf(places.get(i).nodeId()).orElseThrow();
            nodes.add(node);
            racks.add(ledger.rackOf(node));
            TaskGroup task = tasks.get(i);
            NodeView view = ledger.node(node);
            ResourceVector size = sizes.size(task, view).max(sizer.size(task, view));
            slowest = Math.min(slowest, wishes.speed().speed(task, view, size));
        }
        return slowest / ledger.crossing().times(racks.size(), nodes.size());
    }
}
