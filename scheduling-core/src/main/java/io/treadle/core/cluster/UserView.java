// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import io.treadle.core.resource.ResourceVector;
import java.util.Set;

/**
 * A user with jobs in the queue.
 *
 * <p>As CapacityScheduler does, a task may start as long as its user does not hold more than the limit before it: the
 * last one may go above. Running tasks are not grown above it.
 *
 * @param name the user
 * @param limit what the user may hold of the queue, everything counted
 * @param othersUse what the user's containers other than the snapshot's running tasks hold of the queue
 * @param jobIds the user's jobs
 */
public record UserView(String name, ResourceVector limit, ResourceVector othersUse, Set<String> jobIds) {
    public UserView {
        jobIds = Set.copyOf(jobIds);
    }

    /** What is left for the user's jobs; below zero where the user holds more than the limit. */
    public ResourceVector available() {
        return limit.minus(othersUse);
    }
}
