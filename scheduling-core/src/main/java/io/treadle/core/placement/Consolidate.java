// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The whole job on the node with fewest free GPUs that takes it; where none does, task by task on the node with fewest
 * free GPUs, so that few nodes are opened (Synergy's artifact, {@code SYNERGY_PLACEMENT}).
 */
public final class Consolidate implements Placement {
    private final boolean restOnFreest;

    /**
     * @param restOnFreest whether a job's last group, of a single task, goes to the node with most free GPUs: so Helios'
     *     artifact places what is left of a job when whole nodes are taken off
     */
    public Consolidate(boolean restOnFreest) {
        this.restOnFreest = restOnFreest;
    }

    public Consolidate() {
        this(false);
    }

    @Override
    public String name() {
        return "consolidate";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        FreeGpus nodes = ledger.byFreeGpus();
        if (tasks.size() > 1) {
            for (int node = nodes.first(gpus(tasks)); node >= 0; node = nodes.after(node)) {
                if (attempt.tryAllOn(node, tasks)) {
                    return attempt.result();
                }
            }
        }
        // Nodes that do not take a task take no other of its group either.
        BitSet closed = new BitSet();
        @org.jspecify.annotations.Nullable TaskGroup last = null;
        for (TaskGroup group : tasks) {
            boolean next = !group.equals(last);
            if (next) {
                closed.clear();
            }
            boolean isRest = restOnFreest && next && last != null;
            boolean placed = isRest ? placeOnFreest(attempt, group, nodes) : placeOne(attempt, group, nodes, closed);
            if (!placed) {
                return attempt.undo();
            }
            last = group;
        }
        return attempt.result();
    }

    private static long gpus(List<TaskGroup> tasks) {
        long gpus = 0;
        for (TaskGroup task : tasks) {
            gpus += task.ask().gpus();
        }
        return gpus;
    }

    private static boolean placeOnFreest(Attempt attempt, TaskGroup group, FreeGpus nodes) {
        int node = nodes.freest();
        return node >= 0 && attempt.tryOn(node, group);
    }

    private static boolean placeOne(Attempt attempt, TaskGroup group, FreeGpus nodes, BitSet closed) {
        for (int node = nodes.first(group.ask().gpus()); node >= 0; node = nodes.after(node)) {
            if (!closed.get(node)) {
                if (attempt.tryOn(node, group)) {
                    return true;
                }
                closed.set(node);
            }
        }
        return false;
    }
}
