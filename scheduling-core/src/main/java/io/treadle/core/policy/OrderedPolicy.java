// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Decision;
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
        List<JobView> ordered = ordered(snapshot);
        return served(snapshot, ordered).plan(ordered);
    }

    /** What {@link #plan} changes, without a word on those that wait. */
    private List<Decision> changes(Snapshot snapshot) {
        return served(snapshot, ordered(snapshot)).changes();
    }

    private List<Decision.Move> moves(Snapshot snapshot) {
        return new Round(snapshot, placement).moveRunning();
    }

    private List<JobView> ordered(Snapshot snapshot) {
        Moment moment = new Moment(snapshot.nowMs(), snapshot.capacity());
        return snapshot.jobs().stream().sorted(Keys.comparator(order, moment)).toList();
    }

    private Round served(Snapshot snapshot, List<JobView> ordered) {
        Round round = new Round(snapshot, placement);
        allocation.serve(round, ordered, discipline.strict());
        return round;
    }

    /** @throws IllegalArgumentException if jobs are to move where that is not known */
    @Override
    public Session open(Snapshot cluster) {
        if (discipline.migration() && discipline.preemption().isAnew()) {
            throw new IllegalArgumentException("migration is not for jobs that are placed anew all the time");
        }
        return switch (discipline.preemption()) {
            case OFF -> openShared(cluster);
            case TURNS -> new TurnsSession(order, openShared(cluster));
            case BY_GPUS ->
                cluster.isWithoutShares()
                        ? new ChosenByGpusSession(cluster, order, allocation, placement, discipline.migration())
                        : new ChosenInSharesSession(cluster, order, allocation, placement, discipline.migration());
            case ANEW, ANEW_BY_GPUS, ANEW_WIDEST_FIRST ->
                new AnewSession(cluster, order, allocation, placement, discipline);
        };
    }

    /** Where CPU and memory go in shares, running jobs may be raised later: that takes a look at all of them. */
    @Override
    public SharedSession openShared(Snapshot cluster) {
        return cluster.isWithoutShares()
                ? new SteadySession(cluster, order, allocation, placement, discipline)
                : new SnapshotSession(
                        cluster, discipline.migration() ? this::moves : snapshot -> List.of(), this::changes);
    }
}
