// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import java.util.List;
import java.util.Optional;

/**
 * What a policy decided for the jobs of one queue.
 *
 * @param decisions one for every job of the snapshot, in the order in which the policy serves them
 */
public record Plan(List<Decision> decisions) {
    public static final Plan EMPTY = new Plan(List.of());

    public Plan {
        decisions = List.copyOf(decisions);
    }

    public Optional<Decision> of(String jobId) {
        return decisions.stream().filter(d -> d.jobId().equals(jobId)).findFirst();
    }
}
