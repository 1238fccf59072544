// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Workload;
import java.nio.file.Path;
import java.util.List;

/** Runs simulations for tests, each held to all rules. */
final class Runs {
    private Runs() {}

    static SimulationOptions options(Compat compat, String placement) {
        return new SimulationOptions(compat, placement, false, MeasuredJobs.ALL, 300_000, -1);
    }

    static List<JobRun> run(Path trace, String cluster, SimulationOptions options, String policy) {
        return run(workload(trace, cluster, Experiment.DEFAULT), options, policy);
    }

    static List<JobRun> run(Workload workload, SimulationOptions options, String policy) {
        return Checked.run(workload, options, policy, Journal.NONE).jobs();
    }

    static Workload workload(Path trace, String cluster, Experiment experiment) {
        return Traces.read("auto", trace, ClusterReader.read(cluster), experiment, false)
                .workload();
    }

    /** From submission to end, on average over all jobs. */
    static double meanSeconds(List<JobRun> jobs) {
        return jobs.stream()
                        .mapToLong(job -> job.endMs() - job.job().submitMs())
                        .average()
                        .orElseThrow()
                / 1000;
    }
}
