// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.Round;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/**
 * Preemption as {@link Preemption#BY_GPUS} says. Jobs that compare equal: those that wait before those that run. A job
 * that holds more tasks than it needs is chosen with all of them or stops, and may then start again with fewer.
 */
final class ChosenByGpusSession implements Session {
    private final Order order;
    private final Allocation allocation;
    private final ResourceVector capacity;
    private final Round round;
    private final Waiting waiting;
    private final boolean migration;
    /** Whether a job has gone since the last decision. */
    private boolean hasEnded;

    private final Running running;

    private long wakesMs = NEVER;

    ChosenByGpusSession(Snapshot cluster, Order order, Allocation allocation, Placement placement, boolean migration) {
        this.order = order;
        this.allocation = allocation;
        this.migration = migration;
        this.capacity = cluster.capacity();
        this.round = new Round(cluster, placement);
        this.running = new Running(order, cluster.overheads().stopSeconds());
        this.waiting = new Waiting(order, new Moment(cluster.nowMs(), capacity));
    }

    @Override
    public void waits(JobView job) {
        running.remove(job.id());
        waiting.add(job);
    }

    @Override
    public void runs(JobView job) {
        running.put(job);
        round.runs(job);
    }

    @Override
    public void ended(String jobId) {
        waiting.remove(jobId);
        running.remove(jobId);
        round.release(jobId);
        hasEnded = true;
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        round.ledger().setOpen(nodeId, isOpen);
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
        boolean moves = migration && hasEnded;
        hasEnded = false;
        if (waiting.isEmpty() && !moves) {
            return List.of();
        }
        Moment moment = new Moment(nowMs, capacity);
        GpuChoice choice = GpuChoice.of(
                order, waiting, running, capacity.gpus() - round.ledger().closedFreeGpus(), moment);
        List<Decision> decisions = new ArrayList<>(choice.stopping());
        decisions.forEach(stop -> round.release(stop.jobId()));
        if (moves) {
            decisions.addAll(round.moveSmall(nowMs));
        }
        allocation.serve(round, choice.starting(), false);
        for (Decision.Run run : round.takeStarting()) {
            waiting.remove(run.jobId());
            decisions.add(run);
        }
        if (choice.again() && !isAgain) {
            wakesMs = nowMs;
        }
        return decisions;
    }
}
