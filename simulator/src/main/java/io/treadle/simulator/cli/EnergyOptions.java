// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.simulator.energy.CarbonFile;
import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.energy.PowerOff;
import io.treadle.simulator.energy.QueueBudget;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much energy a run may use. */
final class EnergyOptions {
    @Option(
            names = "--budget",
            paramLabel = "KIND:AMOUNT",
            description = "what all nodes together may draw, kept to by powerflow and powerflow-relative: share:0.7 of"
                    + " the peak, watts:20000, window:240/24h (kWh in so many hours), total:500 (kWh in all), carbon:8000"
                    + " (grams of CO2 an hour), or price:600 (seconds of completion time that a kWh is worth);"
                    + " or with units, such as '240 kWh/day' (default: none)")
    private @Nullable String budget;

    @Option(
            names = "--queue-budget",
            split = ",",
            paramLabel = "QUEUE=BUDGET",
            description =
                    "what the GPUs of the jobs of a queue with a capacity, and of those below it, may draw together,"
                            + " by its path or name: watts such as 12000 or 12kW, or a share such as 70%% of the budget above it;"
                            + " comes before powerBudget in the cluster file, kept to by the policies that keep to --budget")
    private Map<String, String> queueBudgets = Map.of();

    @Option(
            names = "--carbon",
            paramLabel = "FILE",
            description = "with --budget carbon:…: the grid's carbon intensity, a table of seconds or timestamp, and"
                    + " gramsPerKwh")
    private @Nullable Path carbon;

    @Option(
            names = "--carbon-holes",
            defaultValue = "refuse",
            paramLabel = "refuse|hold",
            description =
                    "what to do where rows of --carbon are further from each other than twice the usual step: hold"
                            + " the value before (default: ${DEFAULT-VALUE})")
    private String holes = "refuse";

    @Option(
            names = "--power-off",
            defaultValue = "off",
            paramLabel = "off|on|IDLE/WAKE/SPARE",
            description =
                    "switch nodes off that nobody uses: after so many seconds without a job, with so many seconds to"
                            + " start again, but for so many spare ones; on is 300/120/1 (default: ${DEFAULT-VALUE})")
    private String powerOff = "off";

    /** @throws InputException if a value cannot be used, or is there without what it needs */
    SimulationOptions of(SimulationOptions options) {
        EnergyBudget parsed = budget();
        boolean needsCarbon = parsed.kind() == EnergyBudget.Kind.CARBON;
        if (needsCarbon && carbon == null) {
            throw new InputException("--budget is '" + budget + "', which needs the grid's carbon intensity over time:"
                    + " give --carbon FILE.csv.");
        }
        if (carbon != null && !needsCarbon) {
            throw new InputException("--carbon is '" + carbon + "', but --budget is '" + parsed.text()
                    + "', which does not go by it: must be of the form carbon:8000 (grams of CO2 an hour).");
        }
        return options.with(new EnergyRules(
                parsed,
                Optional.ofNullable(carbon).map(file -> CarbonFile.read(file, holdsOver())),
                queueBudgets(),
                powerOff()));
    }

    private Map<String, QueueBudget> queueBudgets() {
        Map<String, QueueBudget> budgets = new HashMap<>();
        queueBudgets.forEach((queue, text) -> {
            try {
                budgets.put(queue, QueueBudget.parse(text));
            } catch (IllegalArgumentException e) {
                throw new InputException("--queue-budget of '" + queue + "': " + e.getMessage() + ".", e);
            }
        });
        return budgets;
    }

    private Optional<PowerOff> powerOff() {
        try {
            return PowerOff.parse(powerOff);
        } catch (IllegalArgumentException e) {
            throw new InputException("--power-off " + e.getMessage() + ".", e);
        }
    }

    private EnergyBudget budget() {
        try {
            return EnergyBudget.parse(budget == null ? "" : budget);
        } catch (IllegalArgumentException e) {
            throw new InputException("--budget: " + e.getMessage() + ".", e);
        }
    }

    private boolean holdsOver() {
        return switch (holes) {
            case "hold" -> true;
            case "refuse" -> false;
            default -> throw new InputException("--carbon-holes is '" + holes + "', must be refuse or hold.");
        };
    }
}
