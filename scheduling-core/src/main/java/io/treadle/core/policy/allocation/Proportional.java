// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.placement.TaskSizer;

/** Every job gets CPU and memory in proportion to its GPUs, whatever it could use. */
public final class Proportional implements Allocation {
    @Override
    public String name() {
        return "proportional";
    }

    @Override
    public void serve(Round round, Iterable<JobView> ordered, boolean strict) {
        Sizes sizes = round.sizes();
        for (JobView job : ordered) {
            boolean granted = round.isDecided(job)
                    || (round.hasGpusFor(job)
                            && (round.tryGrant(job, share(sizes, job), Grant.Level.SHARE)
                                    || AskStart.tryStart(round, job)));
            if (!granted) {
                round.grantInPlace(job, share(sizes, job));
                if (strict) {
                    return;
                }
            }
        }
        ElasticStart.grow(round, ordered, grant -> share(sizes, grant.job()));
    }

    private static TaskSizer share(Sizes sizes, JobView job) {
        return (group, node) -> sizes.share(job, group, node);
    }
}
