// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.placement.TaskSizer;

/**
 * Synergy's naive baseline (OSDI 2022, §3.3): each job gets its best-case demand or waits. GPUs stand idle where CPU or
 * memory has run out.
 */
public final class SynergyGreedy implements Allocation {
    @Override
    public String name() {
        return "synergy-greedy";
    }

    @Override
    public void serve(Round round, Iterable<JobView> ordered, boolean strict) {
        for (JobView job : ordered) {
            boolean granted = round.isDecided(job)
                    || (round.hasGpusFor(job) && round.tryGrant(job, demand(round, job), Grant.Level.DEMAND));
            if (!granted) {
                round.grantInPlace(job, demand(round, job));
                if (strict) {
                    return;
                }
            }
        }
        ElasticStart.grow(round, ordered, grant -> demand(round, grant.job()));
    }

    private static TaskSizer demand(Round round, JobView job) {
        return (group, node) -> round.sizes().demand(job, group, node);
    }
}
