// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The whole job on the node with fewest free GPUs that takes it; where none does, task by task on the node with fewest
 * free GPUs, so that few nodes are opened (Synergy's artifact, {@code SYNERGY_PLACEMENT}).
 */
public final class Consolidate implements Placement {
    @Override
    public String name() {
        return "consolidate";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        if (tasks.size() > 1) {
            for (int node : byFreeGpus(ledger)) {
                if (attempt.tryAllOn(node, tasks)) {
                    return attempt.result();
                }
            }
        }
        NavigableSet<Integer> open = new TreeSet<>();
        @org.jspecify.annotations.Nullable TaskGroup last = null;
        for (TaskGroup group : tasks) {
            if (!group.equals(last)) {
                open = byFreeGpus(ledger);
                last = group;
            }
            if (!placeOne(attempt, group, open)) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    /** Nodes that do not take the task leave the set: none of them takes another of the group. */
    private static boolean placeOne(Attempt attempt, TaskGroup group, NavigableSet<Integer> open) {
        while (!open.isEmpty()) {
            // Out of the set before its free GPUs change, as these are its place in it.
            int node = Objects.requireNonNull(open.pollFirst());
            if (attempt.tryOn(node, group)) {
                open.add(node);
                return true;
            }
        }
        return false;
    }

    /** Nodes from the fewest free GPUs to the most. */
    private static NavigableSet<Integer> byFreeGpus(Ledger ledger) {
        NavigableSet<Integer> nodes = new TreeSet<>(
                Comparator.comparingLong((Integer n) -> ledger.free(n).gpus())
                        .thenComparing(Comparator.naturalOrder()));
        for (int node = 0; node < ledger.nodes().size(); node++) {
            nodes.add(node);
        }
        return nodes;
    }
}
