// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;

/**
 * A job at a size.
 *
 * @param worth what its end is worth
 */
record Sized(PsJob job, PsSize size, double worth) {
    ResourceVector use() {
        return job.use(size);
    }

    double secondsLeft() {
        return job.secondsLeft(size);
    }
}
