// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.allocation.Round;

/** A policy that knows nothing of moves, with small jobs moved before it decides. */
final class MigratingPolicy implements Policy {
    private final Policy policy;
    private final Placement placement;

    MigratingPolicy(Policy policy, Placement placement) {
        this.policy = policy;
        this.placement = placement;
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        return policy.plan(snapshot);
    }

    @Override
    public SharedSession openShared(Snapshot cluster) {
        return new SnapshotSession(
                cluster, snapshot -> new Round(snapshot, placement).moveRunning(), SnapshotSession.checked(policy));
    }
}
