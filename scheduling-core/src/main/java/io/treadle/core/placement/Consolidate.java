// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

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
        Set<Integer> full = new HashSet<>();
        @org.jspecify.annotations.Nullable TaskGroup last = null;
        for (TaskGroup group : tasks) {
            if (!group.equals(last)) {
                full.clear();
                last = group;
            }
            boolean placed = false;
            for (int node : byFreeGpus(ledger)) {
                if (!full.contains(node)) {
                    placed = attempt.tryOn(node, group);
                    if (placed) {
                        break;
                    }
                    full.add(node);
                }
            }
            if (!placed) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    private static List<Integer> byFreeGpus(Ledger ledger) {
        return IntStream.range(0, ledger.nodes().size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer n) -> ledger.free(n).gpus())
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }
}
