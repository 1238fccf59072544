// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.replay.Replay;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is to be planned.
 *
 * @param replay the jobs on the cluster as it is
 * @param options how each simulation goes
 * @param policies one; several where the policy is to be found
 * @param goals texts such as {@code p95 wait < 2h}, all of which must hold
 * @param prices texts such as {@code A100=2.5}; empty where cost is of no matter
 * @param mostNodes the largest cluster, or partition, to try; empty for eight times what there is
 */
public record PlanRequest(
        Replay replay,
        SimulationOptions options,
        List<String> policies,
        List<String> goals,
        List<String> prices,
        OptionalInt mostNodes) {
    public PlanRequest {
        policies = List.copyOf(policies);
        goals = List.copyOf(goals);
        prices = List.copyOf(prices);
    }
}
