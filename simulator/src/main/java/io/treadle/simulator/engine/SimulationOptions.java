// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.simulator.energy.BudgetText;
import io.treadle.simulator.energy.CarbonFile;
import io.treadle.simulator.energy.PowerOff;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was asked of a simulation beside trace, cluster and policy.
 *
 * @param compat the published simulator to agree with
 * @param placement a placement's name
 * @param preempts whether jobs that run make way for others
 * @param migrates whether small jobs that run move to where they fit tighter when a job has ended
 * @param measured which jobs count
 * @param roundMs length of a round, ms
 * @param firstRoundMs when the first round is; negative to choose by the trace
 * @param costs what a job loses when it is stopped; none where {@code compat} has its own
 * @param plugins the policies that there are
 * @param budget what the cluster may draw, for policies that look at it
 * @param carbon what the grid's electricity costs in CO2 over time; there for budgets of CO2 and for no other
 * @param powerOff when nodes are switched off; empty where all stay on
 */
public record SimulationOptions(
        Compat compat,
        String placement,
        boolean preempts,
        boolean migrates,
        MeasuredJobs measured,
        long roundMs,
        long firstRoundMs,
        Costs costs,
        Plugins plugins,
        EnergyBudget budget,
        Optional<CarbonFile> carbon,
        Optional<PowerOff> powerOff) {
    /** With the policies that come with Treadle, where a stop costs nothing. */
    public SimulationOptions(
            Compat compat, String placement, boolean preempts, MeasuredJobs measured, long roundMs, long firstRoundMs) {
        this(
                compat,
                placement,
                preempts,
                false,
                measured,
                roundMs,
                firstRoundMs,
                Costs.NONE,
                Plugins.NONE,
                EnergyBudget.NONE,
                Optional.empty(),
                Optional.empty());
    }

    /** Of a cluster that may draw what it can. */
    public SimulationOptions(
            Compat compat,
            String placement,
            boolean preempts,
            boolean migrates,
            MeasuredJobs measured,
            long roundMs,
            long firstRoundMs,
            Costs costs,
            Plugins plugins) {
        this(
                compat,
                placement,
                preempts,
                migrates,
                measured,
                roundMs,
                firstRoundMs,
                costs,
                plugins,
                EnergyBudget.NONE,
                Optional.empty(),
                Optional.empty());
    }

    public SimulationOptions withMigration() {
        return new SimulationOptions(
                compat,
                placement,
                preempts,
                true,
                measured,
                roundMs,
                firstRoundMs,
                costs,
                plugins,
                budget,
                carbon,
                powerOff);
    }

    public SimulationOptions with(Costs others) {
        return new SimulationOptions(
                compat,
                placement,
                preempts,
                migrates,
                measured,
                roundMs,
                firstRoundMs,
                others,
                plugins,
                budget,
                carbon,
                powerOff);
    }

    /** Under a budget that is not one of CO2. */
    public SimulationOptions with(EnergyBudget other) {
        return with(other, Optional.empty());
    }

    /** @param grid where the budget is one of CO2 */
    public SimulationOptions with(EnergyBudget other, Optional<CarbonFile> grid) {
        return new SimulationOptions(
                compat,
                placement,
                preempts,
                migrates,
                measured,
                roundMs,
                firstRoundMs,
                costs,
                plugins,
                other,
                grid,
                powerOff);
    }

    public SimulationOptions with(PowerOff rules) {
        return new SimulationOptions(
                compat,
                placement,
                preempts,
                migrates,
                measured,
                roundMs,
                firstRoundMs,
                costs,
                plugins,
                budget,
                carbon,
                Optional.of(rules));
    }

    /** What differs from the usual, as people would write it, and the placement. */
    public String words() {
        List<String> words = new ArrayList<>();
        if (compat != Compat.NONE) {
            words.add("--compat " + compat.text());
        }
        words.add("--placement " + placement);
        if (preempts) {
            words.add("--preemption on");
        }
        words.addAll(costs.words());
        if (migrates) {
            words.add("--migration on");
        }
        if (!measured.equals(MeasuredJobs.ALL)) {
            words.add("--jobs " + measured.from() + ":" + measured.to());
        }
        if (!budget.equals(EnergyBudget.NONE)) {
            words.add("--budget " + BudgetText.of(budget));
        }
        carbon.ifPresent(grid -> words.add("--carbon " + grid));
        powerOff.ifPresent(rules -> words.add("--power-off " + rules.text()));
        return String.join(" ", words);
    }

    /** Synergy's artifact starts its rounds at 1 s where all jobs come at once, else at 0 s. */
    long firstRoundMs(List<TraceJob> jobs) {
        if (firstRoundMs >= 0) {
            return firstRoundMs;
        }
        long span = jobs.get(jobs.size() - 1).submitMs() - jobs.get(0).submitMs();
        return span < 1000 ? 1000 : 0;
    }
}
