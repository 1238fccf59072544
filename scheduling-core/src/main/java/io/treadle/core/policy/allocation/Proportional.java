// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;

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
                            && (round.tryGrant(job, sizes::share, Grant.Level.SHARE) || round.tryAsk(job)));
            if (!granted) {
                round.grantInPlace(job, sizes::share);
                if (strict) {
                    return;
                }
            }
        }
        ElasticStart.grow(round, ordered, grant -> sizes::share);
    }
}
