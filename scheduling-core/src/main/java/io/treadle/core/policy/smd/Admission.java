// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.plan.Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Who is admitted.
 *
 * @param jobs each at its size, those first that are to find room first
 * @param considered all that could have been admitted, each at its size
 * @param late a job for which what it needs at least was kept, beside those
 * @param certificate how near it comes to the best; empty where the rule does not look for that
 */
record Admission(List<Sized> jobs, List<Sized> considered, Optional<PsJob> late, Optional<Certificate> certificate) {
    Admission {
        jobs = List.copyOf(jobs);
        considered = List.copyOf(considered);
    }

    /** By a rule that does not look at what ends are worth. */
    Admission(List<Sized> jobs) {
        this(jobs, jobs, Optional.empty(), Optional.empty());
    }
}
