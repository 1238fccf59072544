// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;

/**
 * A job at a size.
 *
 * @param worth what its end is worth; NaN where nobody asks
 * @param profit what it brings that it is admitted
 */
record Sized(PsJob job, PsSize size, double worth, double profit) {
    /** By a rule that does not look at what ends are worth. */
    Sized(PsJob job, PsSize size) {
        this(job, size, Double.NaN, Double.NaN);
    }

    ResourceVector use() {
        return job.use(size);
    }

    double secondsLeft() {
        return job.secondsLeft(size);
    }

    /** What it brings for the part of the pool that it takes. */
    double density(Pool pool) {
        return profit / Math.max(Double.MIN_NORMAL, pool.share(use()));
    }
}
