// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.order.Order;
import java.util.List;

/** An order and an allocation together. */
final class OrderedPolicy implements Policy {
    private final Order order;
    private final Allocation allocation;
    private final Placement placement;

    OrderedPolicy(Order order, Allocation allocation, Placement placement) {
        this.order = order;
        this.allocation = allocation;
        this.placement = placement;
    }

    @Override
    public String name() {
        return order.name() + "+" + allocation.name();
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        List<JobView> ordered =
                snapshot.jobs().stream().sorted(order.comparator(snapshot)).toList();
        return allocation.allocate(snapshot, ordered, placement);
    }
}
