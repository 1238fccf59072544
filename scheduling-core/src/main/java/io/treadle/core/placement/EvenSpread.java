// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * As few nodes as take the job, each with as many workers and servers as the others: the i-th of each group goes to node i of
 * them, in turn (Optimus, EuroSys 2018). On one node the one with least left; on several those with most. Where no such
 * spread goes, node by node as much as each takes.
 */
public final class EvenSpread implements Placement {
    @Override
    public String name() {
        return "even-spread";
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        List<Integer> fullest = fullest(attempt, tasks, ledger);
        for (int node : fullest) {
            if (attempt.tryAllOn(node, tasks)) {
                return attempt.result();
            }
        }
        List<Integer> emptiest = new ArrayList<>(fullest);
        Collections.reverse(emptiest);
        int most = Math.min(emptiest.size(), tasks.size());
        for (int count = 2; count <= most; count++) {
            if (spread(attempt, tasks, emptiest.subList(0, count))) {
                return attempt.result();
            }
        }
        return fill(attempt, tasks, emptiest) ? attempt.result() : Optional.empty();
    }

    /** Nodes that could take one of the tasks, those first that have least left of what is scarcest there. */
    private static List<Integer> fullest(Attempt attempt, List<TaskGroup> tasks, Ledger ledger) {
        List<ResourceVector> asks =
                tasks.stream().map(TaskGroup::ask).distinct().toList();
        List<Free> nodes = new ArrayList<>();
        for (int node = 0; node < ledger.nodes().size(); node++) {
            ResourceVector free = ledger.free(node);
            if (takesOne(asks, free) && attempt.allows(node)) {
                nodes.add(new Free(node, scarcest(free, ledger.node(node).capacity())));
            }
        }
        nodes.sort(Comparator.comparingDouble(Free::part));
        return nodes.stream().map(Free::node).toList();
    }

    /** @param part what is free of the node's scarcest resource, as a part of it */
    private record Free(int node, double part) {}

    private static boolean takesOne(List<ResourceVector> asks, ResourceVector free) {
        for (ResourceVector ask : asks) {
            if (ask.fitsIn(free)) {
                return true;
            }
        }
        return false;
    }

    private static double scarcest(ResourceVector free, ResourceVector all) {
        return Math.min(
                part(free.gpus(), all.gpus()),
                Math.min(part(free.vcores(), all.vcores()), part(free.memoryMiB(), all.memoryMiB())));
    }

    private static double part(long free, long all) {
        return all > 0 ? (double) free / all : 1;
    }

    private static boolean spread(Attempt attempt, List<TaskGroup> tasks, List<Integer> nodes) {
        Map<String, Integer> placed = new HashMap<>();
        for (TaskGroup task : tasks) {
            int turn = placed.merge(task.name(), 1, Integer::sum) - 1;
            if (!attempt.tryOn(nodes.get(turn % nodes.size()), task)) {
                attempt.undo();
                return false;
            }
        }
        return true;
    }

    private static boolean fill(Attempt attempt, List<TaskGroup> tasks, List<Integer> nodes) {
        for (TaskGroup task : tasks) {
            boolean isPlaced = false;
            for (int i = 0; i < nodes.size() && !isPlaced; i++) {
                isPlaced = attempt.tryOn(nodes.get(i), task);
            }
            if (!isPlaced) {
                attempt.undo();
                return false;
            }
        }
        return true;
    }
}
