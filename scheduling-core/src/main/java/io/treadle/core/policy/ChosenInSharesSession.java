// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.Round;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Preemption as {@link Preemption#BY_GPUS} says where CPU and memory go in shares: what a job starts with changes what
 * those that run hold, so each decision is a round of its own over all that go on and all that may start.
 */
final class ChosenInSharesSession implements Session {
    private Snapshot cluster;
    private final Order order;
    private final Allocation allocation;
    private final Placement placement;
    private final boolean migration;
    private final ResourceVector capacity;
    private final Waiting waiting;
    private final Running running;
    /** Whether a job has gone since the last decision. */
    private boolean hasEnded;

    private long wakesMs = NEVER;

    ChosenInSharesSession(
            Snapshot cluster, Order order, Allocation allocation, Placement placement, boolean migration) {
        this.cluster = cluster;
        this.order = order;
        this.allocation = allocation;
        this.placement = placement;
        this.migration = migration;
        this.capacity = cluster.capacity();
        this.waiting = new Waiting(order, new Moment(cluster.nowMs(), capacity));
        this.running = new Running(order, cluster.overheads().stopSeconds());
    }

    @Override
    public void waits(JobView job) {
        running.remove(job.id());
        waiting.add(job);
    }

    @Override
    public void runs(JobView job) {
        running.put(job);
    }

    @Override
    public void ended(String jobId) {
        waiting.remove(jobId);
        running.remove(jobId);
        hasEnded = true;
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        cluster = cluster.withOpen(nodeId, isOpen);
        waiting.roomWasMade();
    }

    @Override
    public long wakesMs() {
        return wakesMs;
    }

    @Override
    public List<Decision> decide(long nowMs) {
        // Once more at a moment and not again: jobs that compare equal could displace each other for ever.
        boolean isAgain = wakesMs == nowMs;
        wakesMs = NEVER;
        boolean freed = hasEnded;
        hasEnded = false;
        if (waiting.isEmpty() && !freed) {
            return List.of();
        }
        Moment moment = new Moment(nowMs, capacity);
        List<JobView> held = new ArrayList<>();
        running.inOrder(moment).forEachRemaining(held::add);
        Ledger before = new Round(cluster.at(nowMs, held), placement).ledger();
        GpuChoice choice = GpuChoice.of(order, waiting, running, capacity.gpus() - before.closedFreeGpus(), moment);
        if (choice.again() && !isAgain) {
            wakesMs = nowMs;
        }
        List<Decision> decisions = new ArrayList<>(choice.stopping());
        Set<String> stopping =
                choice.stopping().stream().map(Decision.Stop::jobId).collect(Collectors.toSet());
        held.removeIf(job -> stopping.contains(job.id()));
        if (migration && freed) {
            List<Decision.Move> moves = new Round(cluster.at(nowMs, held), placement).moveRunning();
            decisions.addAll(moves);
            held = Moved.all(held, moves);
        }
        List<JobView> all = new ArrayList<>(held);
        all.addAll(choice.starting());
        all.sort(Keys.comparator(order, moment));
        Round round = new Round(cluster.at(nowMs, all), placement);
        allocation.serve(round, all, false);
        for (Decision decision : round.changes()) {
            if (decision instanceof Decision.Run run) {
                waiting.remove(run.jobId());
            }
            decisions.add(decision);
        }
        return decisions;
    }
}
