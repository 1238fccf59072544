// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.Workload;

/** Runs simulations for tests and holds each to all rules. */
public final class Checked {
    private Checked() {}

    public static Outcome run(Workload workload, SimulationOptions options, String policy, Journal journal) {
        Simulation simulation = new Simulation(workload, options);
        RunCheck check = new RunCheck(workload.cluster(), simulation.rules(policy));
        Outcome outcome = simulation.run(policy, ended -> {}, check.and(journal));
        check.finish();
        return outcome;
    }
}
