// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.Round;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        this.running = new Running(order);
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
        boolean again = wakesMs == nowMs;
        wakesMs = NEVER;
        boolean moves = migration && hasEnded;
        hasEnded = false;
        if (waiting.isEmpty() && !moves) {
            return List.of();
        }
        List<Decision> decisions = new ArrayList<>();
        List<JobView> chosen = waiting.isEmpty() ? List.of() : choose(new Moment(nowMs, capacity), decisions);
        decisions.forEach(stop -> round.release(stop.jobId()));
        if (moves) {
            decisions.addAll(round.moveSmall());
        }
        allocation.serve(round, chosen, false);
        for (Decision.Run run : round.takeStarting()) {
            waiting.remove(run.jobId());
            decisions.add(run);
        }
        if (again) {
            wakesMs = NEVER;
        }
        return decisions;
    }

    /** The waiting jobs that may start; those that run and are not among the chosen are added to {@code stopping}. */
    private List<JobView> choose(Moment moment, List<Decision> stopping) {
        List<JobView> chosen = new ArrayList<>();
        long quota = capacity.gpus() - round.ledger().closedFreeGpus();
        if (running.gpus() + waiting.gpus() < quota) {
            // Nobody has to make way, whatever the order.
            waiting.served(moment.nowMs()).forEach(chosen::add);
            return chosen;
        }
        // What is left only gets less: where one finds too little, so do those of its shape behind it.
        waiting.roomWasMade();
        Iterator<JobView> waits =
                waiting.served(moment.nowMs(), job -> isLast(chosen, job)).iterator();
        Comparator<JobView> comparator = Keys.comparator(order, moment);
        Iterator<JobView> runs = running.inOrder(moment);
        @Nullable JobView nextWaiting = next(waits);
        @Nullable JobView nextRunning = next(runs);
        while (nextRunning != null || (nextWaiting != null && quota > 0)) {
            if (nextWaiting != null
                    && quota > 0
                    && (nextRunning == null || comparator.compare(nextWaiting, nextRunning) <= 0)) {
                if (nextWaiting.gpus() <= quota) {
                    quota -= nextWaiting.gpus();
                    chosen.add(nextWaiting);
                }
                nextWaiting = next(waits);
            } else if (nextRunning != null) {
                long held = nextRunning.heldGpus();
                if (held <= quota) {
                    quota -= held;
                } else {
                    stopping.add(new Decision.Stop(nextRunning.id(), new Reason.Displaced(held, Math.max(0, quota))));
                    if (held > nextRunning.gpus()) {
                        // With the tasks that it needs it may be among the chosen still.
                        wakesMs = moment.nowMs();
                    }
                }
                nextRunning = next(runs);
            }
        }
        return chosen;
    }

    private static boolean isLast(List<JobView> chosen, JobView job) {
        return !chosen.isEmpty() && chosen.get(chosen.size() - 1).id().equals(job.id());
    }

    private static @Nullable JobView next(Iterator<JobView> jobs) {
        return jobs.hasNext() ? jobs.next() : null;
    }
}
