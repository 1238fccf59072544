// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.plan.Decision;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Any policy: a snapshot of everything for each decision. */
final class SnapshotSession implements Session {
    private final Policy policy;
    private final Snapshot cluster;
    /** In order of submission. */
    private final Map<String, JobView> jobs = new LinkedHashMap<>();

    SnapshotSession(Policy policy, Snapshot cluster) {
        this.policy = policy;
        this.cluster = cluster;
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
        List<Decision> changes = new ArrayList<>();
        for (Decision decision :
                policy.plan(cluster.at(nowMs, List.copyOf(jobs.values()))).decisions()) {
            if (decision instanceof Decision.Run || (decision instanceof Decision.Resize resize && changes(resize))) {
                changes.add(decision);
            }
        }
        return changes;
    }

    private boolean changes(Decision.Resize resize) {
        JobView job = jobs.get(resize.jobId());
        if (job == null) {
            return false;
        }
        for (RunningTask task : job.tasks()) {
            ResourceVector size = resize.sizes().getOrDefault(task.id(), task.size());
            if (!size.equals(task.size())) {
                return true;
            }
        }
        return false;
    }
}
