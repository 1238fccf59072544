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
import java.util.Iterator;
import java.util.List;

/** Where what runs stands as it was granted: one round that never ends, in which waiting jobs are served. */
final class SteadySession implements SharedSession {
    private final Allocation allocation;
    private final Discipline discipline;
    private final Round round;
    private final Waiting waiting;
    /** Whether a job has gone since the last decision. */
    private boolean hasEnded;

    SteadySession(Snapshot cluster, Order order, Allocation allocation, Placement placement, Discipline discipline) {
        this.allocation = allocation;
        this.discipline = discipline;
        this.round = new Round(cluster, placement);
        this.waiting = new Waiting(order, new Moment(cluster.nowMs(), cluster.capacity()));
    }

    @Override
    public void waits(JobView job) {
        waiting.add(job);
    }

    @Override
    public void runs(JobView job) {
        // It holds what the round granted it.
        waiting.remove(job.id());
        round.runs(job);
    }

    @Override
    public void ended(String jobId) {
        waiting.remove(jobId);
        round.release(jobId);
        waiting.roomWasMade();
        hasEnded = true;
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        round.ledger().setOpen(nodeId, isOpen);
        waiting.roomWasMade();
    }

    @Override
    public List<Decision> decide(long nowMs) {
        List<Decision> decisions = new ArrayList<>(settle(nowMs, hasEnded));
        hasEnded = false;
        boolean strict = discipline.strict();
        // A strict line is held up by whoever is first: nobody is passed over.
        Iterable<JobView> served = strict ? waiting.served(nowMs) : waiting.served(nowMs, round::isDecided);
        allocation.serve(round, served, strict);
        for (Decision.Run run : round.takeStarting()) {
            waiting.remove(run.jobId());
            decisions.add(run);
        }
        return decisions;
    }

    @Override
    public List<Decision> settle(long nowMs, boolean mayMove) {
        return discipline.migration() && mayMove ? List.copyOf(round.moveSmall(nowMs)) : List.of();
    }

    @Override
    public void othersWait(boolean wait) {
        // Nothing runs beyond what it asked for.
    }

    @Override
    public List<Decision> decideFirst(long nowMs) {
        return first(discipline.strict() ? waiting.served(nowMs) : waiting.served(nowMs, round::isDecided));
    }

    @Override
    public List<Decision> decideOnly(String jobId, long nowMs) {
        return first(List.of(waiting.job(jobId)));
    }

    /** Serves jobs until one starts. */
    private List<Decision> first(Iterable<JobView> served) {
        allocation.serve(round, () -> new UntilStart(served.iterator()), discipline.strict());
        return List.copyOf(round.takeStarting());
    }

    @Override
    public void withdraw(String jobId) {
        round.release(jobId);
    }

    @Override
    public void othersTook(JobView job) {
        job.tasks().forEach(round.ledger()::othersTake);
    }

    @Override
    public void othersGaveBack(JobView job) {
        job.tasks().forEach(round.ledger()::othersGiveBack);
        waiting.roomWasMade();
    }

    @Override
    public void limit(ResourceVector limit) {
        if (!limit.fitsIn(round.ledger().queueLimit())) {
            waiting.roomWasMade();
        }
        round.ledger().limitQueue(limit);
    }

    private final class UntilStart implements Iterator<JobView> {
        private final Iterator<JobView> all;

        UntilStart(Iterator<JobView> all) {
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            return !round.isStarting() && all.hasNext();
        }

        @Override
        public JobView next() {
            return all.next();
        }
    }
}
