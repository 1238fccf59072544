// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.plan.Decision;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.generate.ServerJobs;
import io.treadle.simulator.trace.TraceJob;
import java.util.List;

/**
 * Sizes of jobs, each alone with its cap, beside the best of all sizes.
 *
 * @param jobs how many
 * @param optimal how many are as fast as the best
 * @param worst the longest time in that of the best
 */
record Sizes(int jobs, int optimal, double worst) {
    private static final ResourceVector PLENTY = ResourceVector.of(10_000, 100_000, 1_000_000_000);
    private static final double CLOSE = 1e-9;

    static Sizes of(long seed, int count) {
        int optimal = 0;
        double worst = 1;
        List<TraceJob> jobs = ServerJobs.atOnce(seed, count);
        for (TraceJob job : jobs) {
            double times = rate(job, "exact") / rate(job, "smd-plain");
            optimal += times <= 1 + CLOSE ? 1 : 0;
            worst = Math.max(worst, times);
        }
        return new Sizes(count, optimal, worst);
    }

    /** Samples a second at the size that the policy chooses. */
    private static double rate(TraceJob job, String policy) {
        Snapshot alone = Pools.waiting(1, PLENTY, 0, List.of(job));
        Decision decision = Pools.exactly(policy).plan(alone).of(job.id()).orElseThrow();
        LayeredPsModel model = job.sizing().model().orElseThrow();
        return decision instanceof Decision.Run run
                ? model.samplesPerSecond(count(run, "worker"), count(run, "ps"))
                : model.samplesPerSecond(1, 1);
    }

    private static long count(Decision.Run run, String group) {
        return run.tasks().stream().filter(task -> task.group().equals(group)).count();
    }
}
