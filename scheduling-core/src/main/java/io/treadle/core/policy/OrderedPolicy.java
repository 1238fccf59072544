// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.Round;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.List;

/** An order and an allocation together. */
final class OrderedPolicy implements Policy {
    private final Order order;
    private final Allocation allocation;
    private final Placement placement;
    private final Discipline discipline;

    OrderedPolicy(Order order, Allocation allocation, Placement placement, Discipline discipline) {
        this.order = order;
        this.allocation = allocation;
        this.placement = placement;
        this.discipline = discipline;
    }

    @Override
    public String name() {
        return order.name() + "+" + allocation.name();
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        Moment moment = new Moment(snapshot.nowMs(), snapshot.capacity());
        List<JobView> ordered =
                snapshot.jobs().stream().sorted(Keys.comparator(order, moment)).toList();
        Round round = new Round(snapshot, placement);
        allocation.serve(round, ordered, discipline.strict());
        return round.plan(ordered);
    }

    @Override
    public Session open(Snapshot cluster) {
        return switch (discipline.preemption()) {
            // Where CPU and memory go in shares, running jobs may be raised later: that takes a look at all of them.
            case OFF ->
                cluster.isWithoutShares()
                        ? new SteadySession(cluster, order, allocation, placement, discipline.strict())
                        : new RoundsSession(cluster, order, allocation, placement, discipline.strict());
            case BY_GPUS -> new ChosenByGpusSession(cluster, order, allocation, placement);
            case ANEW -> new AnewSession(cluster, order, allocation, placement, discipline.strict());
        };
    }
}
