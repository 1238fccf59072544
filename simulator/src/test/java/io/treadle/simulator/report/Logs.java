// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/** Logs of small simulations. */
final class Logs {
    /** A run with its log. */
    record Run(SimCluster cluster, List<TraceJob> jobs, Outcome outcome, RunLog log) {}

    private Logs() {}

    static TraceJob job(String id, String queue, long submitSeconds, long gpus, double seconds) {
        long tasks = (gpus + 7) / 8;
        TaskGroup group =
                new TaskGroup("worker", (int) tasks, (int) tasks, ResourceVector.of(Math.min(gpus, 8), 0, 0), Set.of());
        return new TraceJob(
                id,
                queue,
                submitSeconds * 1000,
                List.of(group),
                Work.ofSeconds(seconds),
                Optional.empty(),
                OptionalDouble.empty());
    }

    /** On nodes of 8 GPUs, with preemption where there is no {@code compat}. */
    static Run run(int nodes, String policy, Compat compat, List<TraceJob> jobs) {
        SimCluster cluster = Clusters.ofEights(nodes);
        RunLog log = new RunLog(cluster, jobs);
        SimulationOptions options =
                new SimulationOptions(compat, compat.defaultPlacement(), true, MeasuredJobs.ALL, 300_000, 0);
        Outcome outcome = Checked.run(new Workload(cluster, jobs), options, policy, log);
        return new Run(cluster, jobs, outcome, log);
    }

    /** Jobs of 1 to 16 GPUs that crowd three nodes, some of no length and some at one moment. */
    static List<TraceJob> random(long seed, int count) {
        Random random = new Random(seed);
        List<TraceJob> jobs = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < count; i++) {
            at += random.nextInt(3) == 0 ? 0 : random.nextInt(60);
            long gpus = random.nextInt(12) == 0 ? 16 : 1 + random.nextInt(8);
            jobs.add(
                    job("j" + i, "q" + random.nextInt(2), at, gpus, random.nextInt(10) == 0 ? 0 : random.nextInt(300)));
        }
        return jobs;
    }
}
