// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.placement.Auto;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.smd.SmdPolicies;
import io.treadle.simulator.generate.ServerJobs;
import java.util.Arrays;
import java.util.Objects;

/**
 * How long a round of a policy takes, ms.
 *
 * @param jobs that wait
 * @param nodes nodes, one for each eight jobs
 * @param first the first round, in which every job is sized
 * @param later the median of later ones
 */
record RoundCost(String policy, int jobs, int nodes, double first, double later) {
    private static final int TRIALS = 5;
    private static final int JOBS_A_NODE = 8;
    private static final long HOUR_MS = 3_600_000;

    static RoundCost measure(String name, long seed, int jobs) {
        int nodes = Math.max(1, jobs / JOBS_A_NODE);
        Snapshot snapshot = Pools.waiting(nodes, Pools.NODE, 10 * HOUR_MS, ServerJobs.draw(seed, jobs, jobs / 10.0));
        // Not the very first that this machine runs.
        policy(name).plan(Pools.waiting(4, Pools.NODE, 0, ServerJobs.atOnce(seed, 40)));
        Policy policy = policy(name);
        double first = ms(policy, snapshot);
        double[] later = new double[TRIALS];
        for (int i = 0; i < TRIALS; i++) {
            later[i] = ms(policy, snapshot);
        }
        Arrays.sort(later);
        return new RoundCost(name, jobs, nodes, first, later[TRIALS / 2]);
    }

    private static Policy policy(String name) {
        return Objects.requireNonNull(SmdPolicies.all().get(name)).apply(new Auto());
    }

    private static double ms(Policy policy, Snapshot snapshot) {
        long start = System.nanoTime();
        policy.plan(snapshot);
        return (System.nanoTime() - start) / 1e6;
    }
}
