// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.Optional;

/** Finds the numbers of workers and servers with which a job ends soonest. */
interface Sizer {
    /**
     * @param limit the most that it may hold
     * @return empty where it may not even hold its least
     */
    Optional<PsSize> size(PsJob job, ResourceVector limit);
}
