// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import java.util.function.Consumer;

/**
 * A policy whose snapshots a test sees first, and its plans after that.
 *
 * @param policy that plans
 * @param first what happens before
 * @param then what happens after
 */
public record WatchedPolicy(Policy policy, Consumer<Snapshot> first, Consumer<Plan> then) implements PolicyAround {
    public WatchedPolicy(Policy policy, Consumer<Snapshot> first) {
        this(policy, first, plan -> {});
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        first.accept(snapshot);
        Plan plan = policy.plan(snapshot);
        then.accept(plan);
        return plan;
    }
}
