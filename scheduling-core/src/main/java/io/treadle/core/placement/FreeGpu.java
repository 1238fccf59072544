// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Any GPUs that are free: the job fills one node after the other, those with most free GPUs first, on the rack with most
 * free GPUs before others (AnalySIM's predecessor, {@code free-gpu}).
 */
public final class FreeGpu implements Placement {
    @Override
    public String name() {
        return "free-gpu";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        List<Integer> nodes = freestFirst(ledger);
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
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    private static List<Integer> freestFirst(Ledger ledger) {
        List<Integer> racks = new ArrayList<>();
        for (int rack = 0; rack < ledger.racks().size(); rack++) {
            racks.add(rack);
        }
        racks.sort(Comparator.<Integer>comparingLong(rack -> -free(ledger, rack))
                .thenComparingLong(rack -> -ledger.nodesInUse(rack)));
        List<Integer> nodes = new ArrayList<>();
        for (int rack : racks) {
            ledger.racks().get(rack).stream()
                    .sorted(Comparator.comparingLong(node -> -ledger.free(node).gpus()))
                    .forEach(nodes::add);
        }
        return nodes;
    }

    private static long free(Ledger ledger, int rack) {
        long gpus = 0;
        for (int node : ledger.racks().get(rack)) {
            gpus += ledger.free(node).gpus();
        }
        return gpus;
    }
}
