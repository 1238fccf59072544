// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.budget.EnergyBudget;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.CarbonFile;
import io.treadle.simulator.energy.ClusterPower;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What people should know about a budget before a run. */
public final class BudgetNotes {
    private BudgetNotes() {}

    /**
     * A line where the budget is, or comes to be, below the least that is kept to (the peak is that of all nodes), and for
     * each contradiction of queues' budgets.
     */
    public static List<String> of(SimCluster cluster, SimulationOptions options) {
        List<String> notes = new ArrayList<>(ofCluster(cluster, options));
        notes.addAll(QueueBudgets.of(cluster, options).notes());
        return notes;
    }

    private static List<String> ofCluster(SimCluster cluster, SimulationOptions options) {
        Optional<ClusterPower> power = cluster.power();
        OptionalDouble least = leastWatts(cluster, options);
        if (power.isEmpty() || least.isEmpty()) {
            return List.of();
        }
        double floor = keeper(cluster, power.get(), options).floorWatts();
        if (least.getAsDouble() >= floor) {
            return List.of();
        }
        return List.of(String.format(
                Locale.ROOT,
                "--budget %s is %,.0f W%s, below the floor of %,.0f W: the floor is used (with less, nodes"
                        + " draw while jobs take longer, and the same work takes more energy)",
                options.energy().budget().text(),
                least.getAsDouble(),
                isSteady(options.energy().budget()) ? "" : " at times",
                floor));
    }

    static BudgetKeeper keeper(SimCluster cluster, ClusterPower power, SimulationOptions options) {
        return new BudgetKeeper(
                options.energy().budget(),
                peakWatts(cluster, power),
                power.idleWatts(cluster.nodes(), cluster.capacity().gpus()),
                options.energy().carbon().map(CarbonFile::intensity));
    }

    private static double peakWatts(SimCluster cluster, ClusterPower power) {
        return power.peakWatts(cluster.nodes(), cluster.capacity().gpus());
    }

    private static boolean isSteady(EnergyBudget budget) {
        return budget.kind() != EnergyBudget.Kind.CARBON;
    }

    /** Watts of the budget where it is lowest; empty where it is told in none. */
    private static OptionalDouble leastWatts(SimCluster cluster, SimulationOptions options) {
        EnergyBudget budget = options.energy().budget();
        return switch (budget.kind()) {
            case WATTS -> OptionalDouble.of(budget.amount());
            case SHARE ->
                cluster.power().isPresent()
                        ? OptionalDouble.of(budget.amount()
                                * peakWatts(cluster, cluster.power().get()))
                        : OptionalDouble.empty();
            case WINDOW -> OptionalDouble.of(1000 * budget.amount() / budget.hours());
            case CARBON ->
                OptionalDouble.of(1000
                        * budget.amount()
                        / options.energy().carbon().orElseThrow().mostGramsPerKwh());
            case NONE, TOTAL, PRICE -> OptionalDouble.empty();
        };
    }
}
