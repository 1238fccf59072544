// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * Of the sizes that are worth nearly as much as the fastest the one that takes the smallest part of the pool. It takes no more
 * of any resource than the fastest, so that who could be admitted at its fastest can be admitted so.
 */
final class Trim {
    private Trim() {}

    /** @param delta part of its worth that the job may lose */
    static PsSize of(Worth worth, Pool pool, double delta) {
        PsJob job = worth.job();
        PsSize best = worth.best();
        ResourceVector limit = job.use(best);
        double least = (1 - delta) * worth.at(best);
        PsSize found = best;
        double share = pool.share(limit);
        List<Integer> serverCounts =
                Counts.between(job.least().servers(), job.most().servers());
        for (int workers : Counts.between(job.least().workers(), job.most().workers())) {
            if (!job.use(workers, job.least().servers()).fitsIn(limit)) {
                break;
            }
            for (int servers : serverCounts) {
                ResourceVector use = job.use(workers, servers);
                if (!use.fitsIn(limit)) {
                    break;
                }
                double here = pool.share(use);
                if (here <= share) {
                    PsSize size = new PsSize(workers, servers);
                    if ((here < share || isBetter(job, size, found)) && worth.at(size) >= least) {
                        found = size;
                        share = here;
                    }
                }
            }
        }
        return found;
    }

    /** Sooner; or as soon with less of what is not scarce. */
    private static boolean isBetter(PsJob job, PsSize size, PsSize found) {
        double gain = job.secondsLeft(found) - job.secondsLeft(size);
        return gain > 0 || (gain == 0 && job.use(size).fitsIn(job.use(found)) && !size.equals(found));
    }
}
