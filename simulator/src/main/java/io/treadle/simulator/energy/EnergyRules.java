// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import io.treadle.core.budget.EnergyBudget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a run saves energy.
 *
 * @param budget what the cluster may draw, for policies that look at it
 * @param carbon what the grid's electricity costs in CO2 over time; there for budgets of CO2 and for no other
 * @param queueBudgets what the GPUs of queues' jobs may draw, by path or name of the queue, before what the cluster says
 * @param powerOff when nodes are switched off; empty where all stay on
 */
public record EnergyRules(
        EnergyBudget budget,
        Optional<CarbonFile> carbon,
        Map<String, QueueBudget> queueBudgets,
        Optional<PowerOff> powerOff) {
    /** Nothing is saved. */
    public static final EnergyRules NONE = of(EnergyBudget.NONE);

    public EnergyRules {
        // In one order always: what is finished is known again by the options in words.
        queueBudgets = Collections.unmodifiableMap(new TreeMap<>(queueBudgets));
    }

    /** All nodes stay on, under a budget that is not one of CO2. */
    public static EnergyRules of(EnergyBudget budget) {
        return new EnergyRules(budget, Optional.empty(), Map.of(), Optional.empty());
    }

    public EnergyRules with(PowerOff rules) {
        return new EnergyRules(budget, carbon, queueBudgets, Optional.of(rules));
    }

    /** What differs from nothing, as people would write it. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        if (!budget.equals(EnergyBudget.NONE)) {
            words.add("--budget " + budget.text());
        }
        carbon.ifPresent(grid -> words.add("--carbon " + grid));
        queueBudgets.forEach((queue, limit) -> words.add("--queue-budget " + queue + "=" + limit.text()));
        powerOff.ifPresent(rules -> words.add("--power-off " + rules.text()));
        return words;
    }
}
