// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.trace.TraceJob;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

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
 * @param energy how energy is saved
 * @param decideEveryMs ms between two decisions, whatever comes or goes; 0 to decide whenever something does
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
        EnergyRules energy,
        long decideEveryMs) {
    /** With the policies that come with Treadle, where a stop costs nothing. */
    public SimulationOptions(
            Compat compat, String placement, boolean preempts, MeasuredJobs measured, long roundMs, long firstRoundMs) {
        this(compat, placement, preempts, false, measured, roundMs, firstRoundMs, Costs.NONE, Plugins.NONE);
    }

    /** Where no energy is saved. */
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
                EnergyRules.NONE,
                0);
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
                energy,
                decideEveryMs);
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
                energy,
                decideEveryMs);
    }

    public SimulationOptions with(EnergyRules rules) {
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
                rules,
                decideEveryMs);
    }

    /** With decisions at multiples of this time alone. */
    public SimulationOptions decidingEvery(long ms) {
        return new SimulationOptions(
                compat, placement, preempts, migrates, measured, roundMs, firstRoundMs, costs, plugins, energy, ms);
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
        if (decideEveryMs > 0) {
            words.add("--decide-every "
                    + BigDecimal.valueOf(decideEveryMs, 3).stripTrailingZeros().toPlainString());
        }
        if (!measured.equals(MeasuredJobs.ALL)) {
            words.add("--jobs " + measured.from() + ":" + measured.to());
        }
        words.addAll(energy.words());
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
