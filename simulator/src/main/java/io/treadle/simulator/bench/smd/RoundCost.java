// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Certificate;
import io.treadle.core.plan.Plan;
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
 * @param running the same ten minutes later, when those that were admitted run at the sizes that they were given
 * @param finished whether both choices came to their ends before their steps were used up
 */
record RoundCost(String policy, int jobs, int nodes, double first, double later, double running, boolean finished) {
    private static final int TRIALS = 5;
    private static final int JOBS_A_NODE = 8;
    private static final long HOUR_MS = 3_600_000;
    private static final long LATER_MS = 600_000;

    static RoundCost measure(String name, long seed, int jobs) {
        int nodes = Math.max(1, jobs / JOBS_A_NODE);
        Snapshot snapshot = Pools.waiting(nodes, Pools.NODE, 10 * HOUR_MS, ServerJobs.draw(seed, jobs, jobs / 10.0));
        // Not the very first that this machine runs.
        policy(name).plan(Pools.waiting(4, Pools.NODE, 0, ServerJobs.atOnce(seed, 40)));
        Policy policy = policy(name);
        double first = ms(policy, snapshot);
        double later = median(policy, snapshot);
        Plan plan = policy.plan(snapshot);
        Snapshot then = Pools.carriedOut(snapshot, plan, snapshot.nowMs() + LATER_MS);
        double running = median(policy, then);
        return new RoundCost(
                name, jobs, nodes, first, later, running, isFinished(plan) && isFinished(policy.plan(then)));
    }

    private static boolean isFinished(Plan plan) {
        return plan.certificate().map(Certificate::finished).orElse(true);
    }

    private static double median(Policy policy, Snapshot snapshot) {
        double[] trials = new double[TRIALS];
        for (int i = 0; i < TRIALS; i++) {
            trials[i] = ms(policy, snapshot);
        }
        Arrays.sort(trials);
        return trials[TRIALS / 2];
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
