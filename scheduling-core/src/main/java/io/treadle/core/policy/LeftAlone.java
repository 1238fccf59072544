// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Jobs that run with all tasks that they need, and that policies which resize and stop jobs leave as they are: those that their
 * ApplicationMasters measure just now, and those with tasks where they would get no new ones. To find such a job other places
 * would be to move or to stop it for nothing: its node may be open again a moment later.
 */
public final class LeftAlone {
    private final Set<String> open;

    public LeftAlone(Snapshot snapshot) {
        open = snapshot.nodes().stream()
                .filter(NodeView::open)
                .map(NodeView::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    public boolean holds(JobView job) {
        return job.running()
                && (job.profiling() || isWhereNothingStarts(job))
                && job.groups().stream().allMatch(group -> job.missing(group) == 0);
    }

    private boolean isWhereNothingStarts(JobView job) {
        return job.tasks().stream()
                .anyMatch(task ->
                        !open.contains(task.nodeId()) || job.avoidedNodes().contains(task.nodeId()));
    }

    /** Why such a job has what it has. */
    public static Reason why(JobView job) {
        String size = job.tasks().get(0).size().describe();
        return job.profiling() ? new Reason.Profiling(size) : new Reason.OnClosedNode(size);
    }
}
