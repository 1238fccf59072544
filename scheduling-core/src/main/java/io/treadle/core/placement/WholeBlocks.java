// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.List;
import java.util.Optional;

/**
 * Buddy allocation where GPUs of a node are alike: a job that a node could hold takes the fullest node that has room for all
 * of it, and waits while there is none; a larger one takes nodes of which all GPUs are free, in the rack with fewest of them
 * that takes it, else in several. With jobs and nodes of powers of two no GPU is then out of reach that jobs that move cannot
 * free.
 */
public final class WholeBlocks implements Placement {
    @Override
    public String name() {
        return "whole-blocks";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        long gpus = tasks.stream().mapToLong(task -> task.ask().gpus()).sum();
        for (int node = ledger.byFreeGpus().first(gpus);
                node >= 0;
                node = ledger.byFreeGpus().after(node)) {
            if (attempt.tryAllOn(node, tasks)) {
                return attempt.result();
            }
        }
        long largest = 0;
        for (int node = 0; node < ledger.nodes().size(); node++) {
            largest = Math.max(largest, ledger.node(node).capacity().gpus());
        }
        return gpus > largest
                ? WholeNodes.place(attempt, tasks, ledger, node -> isWhole(node, ledger))
                : Optional.empty();
    }

    private static boolean isWhole(int node, Ledger ledger) {
        long gpus = ledger.node(node).capacity().gpus();
        return gpus > 0 && ledger.free(node).gpus() == gpus;
    }
}
