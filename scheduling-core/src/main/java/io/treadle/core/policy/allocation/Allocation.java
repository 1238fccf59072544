// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;

/** How much each job gets, and where, once their order is known. */
public interface Allocation {
    String name();

    /**
     * Serves jobs one after the other.
     *
     * @param ordered those that were not served yet, in their order
     * @param strict whether the first that waits holds up all that come after it
     */
    void serve(Round round, Iterable<JobView> ordered, boolean strict);
}
