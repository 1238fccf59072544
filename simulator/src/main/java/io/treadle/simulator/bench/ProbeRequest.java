// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.trace.Experiment;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One simulation that is to be measured, in words that go from one JVM to another.
 *
 * @param trace file of the jobs
 * @param cluster file or name
 * @param policy as on the command line
 * @param placement empty for the usual
 * @param compat the published simulator to agree with; empty for none
 * @param preempts whether running jobs make way
 * @param jobs the measured ones as {@code FROM:TO}; empty for all
 * @param weighsHeap whether to collect garbage and weigh what lives at each quarter of the jobs, which takes time
 */
record ProbeRequest(
        String trace,
        String cluster,
        String policy,
        String placement,
        String compat,
        boolean preempts,
        String jobs,
        boolean weighsHeap) {
    private static final long ROUND_MS = 300_000;

    static ProbeRequest of(Path trace, String cluster, String policy) {
        return new ProbeRequest(trace.toString(), cluster, policy, "", "", false, "", false);
    }

    ProbeRequest placedBy(String name) {
        return new ProbeRequest(trace, cluster, policy, name, compat, preempts, jobs, weighsHeap);
    }

    ProbeRequest like(String simulator) {
        return new ProbeRequest(trace, cluster, policy, placement, simulator, preempts, jobs, weighsHeap);
    }

    ProbeRequest preempting() {
        return new ProbeRequest(trace, cluster, policy, placement, compat, true, jobs, weighsHeap);
    }

    ProbeRequest measuring(String fromTo) {
        return new ProbeRequest(trace, cluster, policy, placement, compat, preempts, fromTo, weighsHeap);
    }

    ProbeRequest weighing() {
        return new ProbeRequest(trace, cluster, policy, placement, compat, preempts, jobs, true);
    }

    ReplayRequest replay() {
        return new ReplayRequest(
                Path.of(trace),
                "auto",
                false,
                cluster,
                OptionalInt.empty(),
                Experiment.DEFAULT,
                OptionalDouble.empty());
    }

    SimulationOptions options() {
        Compat rules = compat.isEmpty() ? Compat.NONE : Compat.of(compat);
        return new SimulationOptions(
                rules,
                placement.isEmpty() ? rules.defaultPlacement() : placement,
                preempts,
                jobs.isEmpty() ? MeasuredJobs.ALL : MeasuredJobs.parse(jobs),
                ROUND_MS,
                -1);
    }
}
