// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.QueueBudget;
import io.treadle.simulator.input.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What the GPUs of queues' jobs may draw, made into watts, and where that contradicts itself. */
final class QueueBudgets {
    private static final double ROUNDING = 1e-9;

    private final Map<String, QueueBudget> options;
    private final double whole;
    /** W by path of the queue, by name of the partition; in the order of the cluster file. */
    private final Map<String, Map<String, Double>> watts = new LinkedHashMap<>();

    private final TreeSet<String> used = new TreeSet<>();
    private final List<String> notes = new ArrayList<>();

    private QueueBudgets(SimCluster cluster, SimulationOptions options) {
        this.options = options.energy().queueBudgets();
        this.whole = cluster.power()
                .map(power -> clusterWatts(cluster, power, options))
                .orElse(0.0);
        for (Partition partition : cluster.partitions()) {
            Map<String, Double> own = new LinkedHashMap<>();
            partition.root().ifPresent(root -> {
                double sum = add(root, Optional.empty(), own);
                tooMuch("the cluster may draw", sum, whole);
            });
            watts.put(partition.name(), own);
        }
        unknown(cluster);
        if (!isEmpty() && cluster.power().isEmpty()) {
            throw new InputException("queues of " + cluster.name() + " have power budgets, but nobody knows what it"
                    + " draws.\nMaybe --power a100, or 'power' in the cluster file.");
        }
    }

    /**
     * @throws InputException if a budget is of no queue, or of several, or there is one and nobody knows what the cluster
     *     draws
     */
    static QueueBudgets of(SimCluster cluster, SimulationOptions options) {
        return new QueueBudgets(cluster, options);
    }

    /** What the budget says where it is the same at all times, else what all nodes draw at most, W. */
    private static double clusterWatts(SimCluster cluster, ClusterPower power, SimulationOptions options) {
        EnergyBudget.Kind kind = options.energy().budget().kind();
        double peak = power.peakWatts(cluster.nodes(), cluster.capacity().gpus());
        return kind == EnergyBudget.Kind.WATTS || kind == EnergyBudget.Kind.SHARE
                ? BudgetNotes.keeper(cluster, power, options)
                        .at(0, 0, power.view())
                        .limitWatts()
                : peak;
    }

    /** @return the watts of the queue, or of those below it where it has none itself */
    private double add(SharedQueue queue, Optional<String> above, Map<String, Double> own) {
        Optional<QueueBudget> budget = told(queue);
        budget.ifPresent(b -> own.put(queue.path(), b.watts(above.map(own::get).orElse(whole))));
        Optional<String> nearest = budget.isPresent() ? Optional.of(queue.path()) : above;
        double sum = 0;
        for (SharedQueue child : queue.children()) {
            sum += add(child, nearest, own);
        }
        if (budget.isEmpty()) {
            return sum;
        }
        double mine = own.getOrDefault(queue.path(), 0.0);
        tooMuch("queue " + queue.path() + " above them has", sum, mine);
        return mine;
    }

    private void tooMuch(String who, double sum, double most) {
        if (sum > most * (1 + ROUNDING) && most > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "power budgets of queues are %,.0f W together, %s %,.0f W: they share that",
                    sum,
                    who,
                    most));
        }
    }

    /** The command's word for the queue, by its path or its name, comes before the file's. */
    private Optional<QueueBudget> told(SharedQueue queue) {
        for (String name : List.of(queue.path(), queue.name())) {
            QueueBudget budget = options.get(name);
            if (budget != null) {
                if (!used.add(name)) {
                    throw new InputException("--queue-budget names '" + name
                            + "', and there are several queues of that name: give the path of one, such as "
                            + queue.path() + ".");
                }
                return Optional.of(budget);
            }
        }
        return queue.powerBudget();
    }

    private void unknown(SimCluster cluster) {
        for (String name : new TreeSet<>(options.keySet())) {
            if (!used.contains(name)) {
                List<String> paths = cluster.partitions().stream()
                        .flatMap(partition -> partition.root().stream())
                        .flatMap(SharedQueue::leaves)
                        .map(SharedQueue::path)
                        .toList();
                throw new InputException("--queue-budget names '" + name + "', and " + cluster.name()
                        + (paths.isEmpty()
                                ? " has no queues with capacities."
                                : " has no such queue, or it has a budget by its path already: queues that take jobs are "
                                        + String.join(", ", paths) + "."));
            }
        }
    }

    boolean isEmpty() {
        return watts.values().stream().allMatch(Map::isEmpty);
    }

    /** W by path of the queue. */
    Map<String, Double> of(Partition partition) {
        return watts.getOrDefault(partition.name(), new HashMap<>());
    }

    /** A line for each contradiction. */
    List<String> notes() {
        return List.copyOf(notes);
    }
}
