// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Plan;
import java.util.List;

/** How much each job gets, and where, once their order is known. */
public interface Allocation {
    String name();

    /** @param ordered the snapshot's jobs in the order in which they are served */
    Plan allocate(Snapshot snapshot, List<JobView> ordered, Placement placement);
}
