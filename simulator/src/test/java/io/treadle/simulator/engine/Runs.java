// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Workload;
import java.nio.file.Path;
import java.util.List;

/** Runs simulations for tests. */
final class Runs {
    private Runs() {}

    static SimulationOptions options(Compat compat, String placement) {
        return new SimulationOptions(compat, placement, false, MeasuredJobs.ALL, 300_000, -1);
    }

    static List<JobRun> run(Path trace, String cluster, SimulationOptions options, String policy) {
        Workload workload = Traces.read("auto", trace, ClusterReader.read(cluster), Workload.DEFAULT_SEED);
        return new Simulation(workload.cluster(), workload.jobs(), options)
                .run(policy, ended -> {})
                .jobs();
    }
}
