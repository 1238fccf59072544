// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How fast a gang would be where it is placed, once its tasks have grown as far as there is room. */
final class GangSpeed {
    private final Wishes wishes;
    private final Ledger ledger;

    GangSpeed(Wishes wishes, Ledger ledger) {
        this.wishes = wishes;
        this.ledger = ledger;
    }

    /**
     * The slowest of its tasks counts, and what it costs to talk over the network.
     *
     * @param placed of all its tasks, in their order, and charged
     */
    double of(String jobId, List<TaskGroup> tasks, List<TaskPlacement> placed) {
        Map<Integer, List<Integer>> onNode = new LinkedHashMap<>();
        Set<Integer> racks = new HashSet<>();
        int growing = 0;
        for (int i = 0; i < tasks.size(); i++) {
            int node = ledger.indexOf(placed.get(i).nodeId()).orElseThrow();
            onNode.computeIfAbsent(node, key -> new ArrayList<>()).add(i);
            racks.add(ledger.rackOf(node));
            growing += grows(tasks.get(i), placed.get(i), node) ? 1 : 0;
        }
        ResourceVector most = share(inQueue(jobId), growing);
        double slowest = Double.POSITIVE_INFINITY;
        for (Map.Entry<Integer, List<Integer>> there : onNode.entrySet()) {
            slowest = Math.min(slowest, onNode(there.getKey(), there.getValue(), tasks, placed, most));
        }
        return slowest / ledger.crossing().times(racks.size(), onNode.size());
    }

    /** The same if each had all that it could use, and the network cost nothing. */
    double most(List<TaskGroup> tasks, List<TaskPlacement> placed) {
        double slowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < tasks.size(); i++) {
            NodeView view = ledger.node(ledger.indexOf(placed.get(i).nodeId()).orElseThrow());
            ResourceVector size =
                    wishes.wish().size(tasks.get(i), view).max(placed.get(i).size());
            slowest = Math.min(slowest, wishes.speed().speed(tasks.get(i), view, size));
        }
        return slowest;
    }

    /** @param most by how much each may grow, wherever it is */
    private double onNode(
            int node, List<Integer> here, List<TaskGroup> tasks, List<TaskPlacement> placed, ResourceVector most) {
        NodeView view = ledger.node(node);
        int growing = 0;
        for (int i : here) {
            growing += grows(tasks.get(i), placed.get(i), node) ? 1 : 0;
        }
        // What nobody has, wishes for, or is owed.
        ResourceVector left = ledger.free(node)
                .minus(view.keptFree())
                .minus(wishes.nodes().beyond(node))
                .minus(ledger.owed(node));
        ResourceVector more = share(left, growing).min(most);
        double slowest = Double.POSITIVE_INFINITY;
        for (int i : here) {
            ResourceVector size = placed.get(i).size();
            ResourceVector grown =
                    size.plus(more).min(wishes.wish().size(tasks.get(i), view)).max(size);
            slowest = Math.min(slowest, wishes.speed().speed(tasks.get(i), view, grown));
        }
        return slowest;
    }

    private boolean grows(TaskGroup task, TaskPlacement placed, int node) {
        return !wishes.wish().size(task, ledger.node(node)).fitsIn(placed.size());
    }

    private ResourceVector inQueue(String jobId) {
        ResourceVector left = ledger.queueFreeBeyondOwed().minus(ledger.keptFree());
        return ledger.userFree(jobId).map(left::min).orElse(left);
    }

    private static ResourceVector share(ResourceVector left, int tasks) {
        return left.max(ResourceVector.ZERO).share(1, Math.max(1, tasks));
    }
}
