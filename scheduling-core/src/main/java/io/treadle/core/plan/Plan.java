// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a policy decided for the jobs of one queue.
 *
 * @param decisions one for every job of the snapshot, in the order in which the policy serves them
 * @param throughput how near it comes to the most that there is; empty where the policy does not look for that
 * @param certificate likewise, for a policy that chooses jobs by what their ends are worth
 */
public record Plan(List<Decision> decisions, Optional<Throughput> throughput, Optional<Certificate> certificate) {
    public static final Plan EMPTY = new Plan(List.of());

    public Plan {
        decisions = List.copyOf(decisions);
    }

    public Plan(List<Decision> decisions, Optional<Throughput> throughput) {
        this(decisions, throughput, Optional.empty());
    }

    public Plan(List<Decision> decisions) {
        this(decisions, Optional.empty());
    }

    public Optional<Decision> of(String jobId) {
        return decisions.stream().filter(d -> d.jobId().equals(jobId)).findFirst();
    }

    /** The decisions that start tasks, move or stop jobs or give a running task another size than it has. */
    public List<Decision> changes(Snapshot snapshot) {
        Map<String, ResourceVector> sizes = new HashMap<>();
        for (JobView job : snapshot.jobs()) {
            job.tasks().forEach(task -> sizes.put(task.id(), task.size()));
        }
        return decisions.stream()
                .filter(decision -> decision instanceof Decision.Run
                        || decision instanceof Decision.Move
                        || decision instanceof Decision.Stop
                        || decision.sizes().entrySet().stream()
                                .anyMatch(e -> !e.getValue().equals(sizes.get(e.getKey()))))
                .toList();
    }
}
