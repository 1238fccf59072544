// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Plan;
import java.util.List;

/** Every job gets CPU and memory in proportion to its GPUs, whatever it could use. */
public final class Proportional implements Allocation {
    @Override
    public String name() {
        return "proportional";
    }

    @Override
    public Plan allocate(Snapshot snapshot, List<JobView> ordered, Placement placement) {
        Sizes sizes = new Sizes(snapshot);
        Round round = new Round(snapshot, placement, sizes);
        for (JobView job : ordered) {
            if (!round.isDecided(job) && !round.tryGrant(job, sizes::share, Grant.Level.SHARE) && !round.tryAsk(job)) {
                round.grantInPlace(job, sizes::share);
            }
        }
        ElasticStart.grow(round, ordered, grant -> sizes::share);
        return round.plan(ordered);
    }
}
