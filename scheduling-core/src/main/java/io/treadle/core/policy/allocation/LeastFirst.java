// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.placement.TaskSizer;
import java.util.ArrayList;
import java.util.List;

/** Charges jobs the least at which each is as fast as at its share: what is beyond that is handed out once all are served. */
final class LeastFirst {
    private LeastFirst() {}

    /** Charges those of which all tasks run, and returns the others, in their order. */
    static List<JobView> chargeWhole(Round round, Iterable<JobView> ordered) {
        List<JobView> starting = new ArrayList<>();
        for (JobView job : ordered) {
            if (round.isDecided(job)) {
                continue;
            }
            if (Round.missing(job).isEmpty()) {
                round.grantInPlace(job, least(round.sizes(), job));
            } else {
                starting.add(job);
            }
        }
        return starting;
    }

    static TaskSizer least(Sizes sizes, JobView job) {
        return (group, node) -> sizes.least(job, group, node);
    }
}
