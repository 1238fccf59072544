// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A snapshot of everything for each decision. */
final class SnapshotSession implements Session {
    private final Snapshot cluster;
    private final Function<Snapshot, List<Decision>> changes;
    /** In order of submission. */
    private final Map<String, JobView> jobs = new LinkedHashMap<>();

    /** @param changes what is to change, by a snapshot */
    SnapshotSession(Snapshot cluster, Function<Snapshot, List<Decision>> changes) {
        this.cluster = cluster;
        this.changes = changes;
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
        return changes.apply(cluster.at(nowMs, List.copyOf(jobs.values())));
    }
}
