// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Nodes of which all GPUs are free, for jobs that no node could hold. */
final class WholeNodes {
    private WholeNodes() {}

    /**
     * On the rack with fewest of them that takes all tasks, else on several racks, those with most of them first.
     *
     * @param isWhole tells nodes of which all GPUs are free
     * @return empty if they do not all fit, and nothing is charged
     */
    static Optional<List<TaskPlacement>> place(
            Attempt attempt, List<TaskGroup> tasks, Ledger ledger, IntPredicate isWhole) {
        List<List<Integer>> racks = new ArrayList<>();
        for (List<Integer> rack : ledger.racks()) {
            racks.add(rack.stream().filter(isWhole::test).toList());
        }
        racks.sort(Comparator.comparingInt(List::size));
        for (List<Integer> rack : racks) {
            if (tryOn(rack, attempt, tasks)) {
                return attempt.result();
            }
        }
        racks.sort(Comparator.comparingInt(rack -> -rack.size()));
        List<Integer> all = racks.stream().flatMap(List::stream).toList();
        return tryOn(all, attempt, tasks) ? attempt.result() : Optional.empty();
    }

    /** Fills one node after the other. */
    private static boolean tryOn(List<Integer> nodes, Attempt attempt, List<TaskGroup> tasks) {
        int next = 0;
        for (int i = 0; i < tasks.size(); i++) {
            // A node that did not take a task may take one of another group.
            if (i > 0 && !tasks.get(i).equals(tasks.get(i - 1))) {
                next = 0;
            }
            while (next < nodes.size() && !attempt.tryOn(nodes.get(next), tasks.get(i))) {
                next++;
            }
            if (next == nodes.size()) {
                attempt.undo();
                return false;
            }
        }
        return true;
    }
}
