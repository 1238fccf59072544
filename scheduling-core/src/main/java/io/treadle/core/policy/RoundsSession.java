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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A round over all jobs for each decision, as {@link OrderedPolicy#plan} has it, without a word on those that wait. */
final class RoundsSession implements Session {
    private final Snapshot cluster;
    private final ResourceVector capacity;
    private final Order order;
    private final Allocation allocation;
    private final Placement placement;
    private final boolean strict;
    /** In order of submission. */
    private final Map<String, JobView> jobs = new LinkedHashMap<>();

    RoundsSession(Snapshot cluster, Order order, Allocation allocation, Placement placement, boolean strict) {
        this.cluster = cluster;
        this.capacity = cluster.capacity();
        this.order = order;
        this.allocation = allocation;
        this.placement = placement;
        this.strict = strict;
    }

    @Override
    public void waits(JobView job) {
        jobs.put(job.id(), job);
    }

    @Override
    public void runs(JobView job) {
        jobs.put(job.id(), job);
    }

    @Override
    public void ended(String jobId) {
        jobs.remove(jobId);
    }

    @Override
    public List<Decision> decide(long nowMs) {
        Round round = new Round(cluster.at(nowMs, List.copyOf(jobs.values())), placement);
        List<JobView> ordered = new ArrayList<>(jobs.values());
        ordered.sort(Keys.comparator(order, new Moment(nowMs, capacity)));
        allocation.serve(round, ordered, strict);
        return round.changes();
    }
}
