// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Splits the nodes of a cluster with a partition for each queue. Partitions share nothing, so the smallest number of
 * nodes of each can be looked for on its own; a split exists just where they fit together, beside what the partitions
 * without a goal have.
 */
final class QuotaPlan {
    private final SimCluster cluster;
    private final OptionalInt mostNodes;
    /** Those that have goals. */
    private final Map<Partition, List<Goal>> wanted = new LinkedHashMap<>();

    /** @throws InputException if the cluster has no partitions, or a goal is not that of a queue */
    QuotaPlan(SimCluster cluster, List<Goal> goals, OptionalInt mostNodes) {
        this.cluster = cluster;
        this.mostNodes = mostNodes;
        if (cluster.partitions().size() < 2) {
            throw new InputException("--find quota needs a cluster with a partition for each queue, " + cluster.name()
                    + " has one for all.\nMaybe --find nodes, or a cluster file with partitions, or with queues that have"
                    + " capacities.");
        }
        for (Goal goal : goals) {
            String queue = goal.queue()
                    .orElseThrow(() -> new InputException("--find quota needs goals of queues, '" + goal.text()
                            + "' is of all jobs.\nMaybe 'queue "
                            + cluster.partitions().get(0).queues().iterator().next()
                            + ": " + goal.text() + "'."));
            wanted.computeIfAbsent(cluster.partitionOf(queue).orElseThrow(), partition -> new ArrayList<>())
                    .add(goal);
        }
    }

    PlanReport find(Planner planner) {
        List<PlanResult.Curve> curves = new ArrayList<>();
        int others = cluster.nodes();
        int needed = 0;
        StringBuilder remarks = new StringBuilder();
        for (Map.Entry<Partition, List<Goal>> each : wanted.entrySet()) {
            Partition partition = each.getKey();
            int own = partition.nodes().size();
            others -= own;
            Planner.Search search = planner.search(
                    Sizing.ofPartition(planner.request().replay(), partition),
                    partition.name(),
                    each.getValue(),
                    1,
                    mostNodes.orElse(cluster.nodes()),
                    own);
            curves.add(search.curve());
            needed += search.curve().chosen().map(Point::nodes).orElse(0);
            remarks.append(search.remark().isEmpty() ? "" : " " + partition.name() + ":" + search.remark());
        }
        int have = cluster.nodes() - others;
        boolean fits = needed <= have
                && curves.stream().allMatch(curve -> curve.chosen().isPresent());
        return planner.report("quota", fits, answer(curves, needed, have, others) + remarks, curves);
    }

    private String answer(List<PlanResult.Curve> curves, int needed, int have, int others) {
        List<String> without = curves.stream()
                .filter(curve -> curve.chosen().isEmpty())
                .map(PlanResult.Curve::partition)
                .toList();
        if (!without.isEmpty()) {
            return "No number of nodes up to " + mostNodes.orElse(cluster.nodes()) + " meets the goals of "
                    + String.join(", ", without) + ".";
        }
        String split = curves.stream()
                .map(curve -> curve.partition() + " "
                        + Planner.nodes(curve.chosen().orElseThrow().nodes()))
                .collect(Collectors.joining(", "));
        String rest = others == 0 ? "" : "; partitions without a goal keep their " + others;
        return needed <= have
                ? "The goals hold with " + split + rest + ": " + (have - needed) + " of " + have + " are left over."
                : "The goals need " + split + rest + ": " + (needed - have) + " more than the " + have + " there are.";
    }
}
