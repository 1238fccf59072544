// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import com.google.common.collect.Iterables;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Preemption as {@link Preemption#ANEW} says: each decision names all jobs that run from now on, and where. The caller
 * lets every job wait before it asks.
 */
final class AnewSession implements Session {
    /** Nothing is ever granted in it: the model of every round. */
    private Round empty;

    private Snapshot cluster;
    private final Placement placement;

    private final ResourceVector capacity;
    private final Order order;
    private final Allocation allocation;
    private final Discipline discipline;
    /** In the order of the last decision: of jobs that compare equal, the one that was first stays so. */
    private final List<Entry> jobs = new ArrayList<>();

    private final Map<String, Entry> byId = new HashMap<>();

    private static final class Entry {
        private JobView job;

        Entry(JobView job) {
            this.job = job;
        }
    }

    AnewSession(Snapshot cluster, Order order, Allocation allocation, Placement placement, Discipline discipline) {
        this.cluster = cluster;
        this.placement = placement;
        this.empty = new Round(cluster, placement);
        this.capacity = cluster.capacity();
        this.order = order;
        this.allocation = allocation;
        this.discipline = discipline;
    }

    @Override
    public void waits(JobView job) {
        Entry entry = byId.get(job.id());
        if (entry == null) {
            entry = new Entry(job);
            byId.put(job.id(), entry);
            jobs.add(entry);
        } else {
            entry.job = job;
        }
    }

    @Override
    public void runs(JobView job) {
        // Nothing of it stands beyond the round.
    }

    @Override
    public void ended(String jobId) {
        jobs.remove(byId.remove(jobId));
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        cluster = cluster.withOpen(nodeId, isOpen);
        empty = new Round(cluster, placement);
    }

    @Override
    public List<Decision> decide(long nowMs) {
        Comparator<JobView> comparator = Keys.comparator(order, new Moment(nowMs, capacity));
        jobs.sort((a, b) -> comparator.compare(a.job, b.job));
        Round round = empty.again();
        allocation.serve(round, served(), discipline.strict());
        return List.copyOf(round.takeStarting());
    }

    private Iterable<JobView> served() {
        Iterable<JobView> ordered = Iterables.transform(jobs, entry -> entry.job);
        return switch (discipline.preemption()) {
            case ANEW_BY_GPUS -> chosen(ordered);
            case ANEW_WIDEST_FIRST -> {
                List<JobView> chosen = chosen(ordered);
                chosen.sort(Comparator.comparingLong(JobView::gpus).reversed());
                yield chosen;
            }
            default -> ordered;
        };
    }

    /** Each whose GPUs are left beside those of the jobs before it. */
    private List<JobView> chosen(Iterable<JobView> ordered) {
        List<JobView> chosen = new ArrayList<>();
        long left = capacity.gpus();
        for (JobView job : ordered) {
            if (job.gpus() <= left) {
                chosen.add(job);
                left -= job.gpus();
            }
        }
        return chosen;
    }
}
