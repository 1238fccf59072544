// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One task on each node, on the nodes of one rack first, then on those of others (AnalySIM's predecessor, whose racks are
 * leaf switches).
 */
abstract class RackWise implements Placement {
    /**
     * @param fitting of each rack that has any, the nodes that take every task of the job, in the snapshot's order
     * @param count how many nodes the job needs
     * @return nodes in the order in which the tasks go to them; fewer than {@code count} where the job does not fit
     */
    abstract List<Integer> choose(List<Rack> fitting, int count, Ledger ledger);

    /**
     * @param index the rack's place among all
     * @param nodes those of its nodes that take every task
     */
    record Rack(int index, List<Integer> nodes) {}

    @Override
    public final Optional<List<TaskPlacement>> place(
            JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        List<TaskGroup> kinds = tasks.stream().distinct().toList();
        List<Rack> fitting = new ArrayList<>();
        for (int rack = 0; rack < ledger.racks().size(); rack++) {
            List<Integer> nodes = new ArrayList<>();
            for (int node : ledger.racks().get(rack)) {
                if (kinds.stream()
                        .allMatch(group -> attempt.fitsOn(node, group, sizer.size(group, ledger.node(node))))) {
                    nodes.add(node);
                }
            }
            if (!nodes.isEmpty()) {
                fitting.add(new Rack(rack, nodes));
            }
        }
        List<Integer> chosen = choose(fitting, tasks.size(), ledger);
        if (chosen.size() < tasks.size()) {
            return Optional.empty();
        }
        for (int i = 0; i < tasks.size(); i++) {
            if (!attempt.tryOn(chosen.get(i), tasks.get(i))) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }
}
