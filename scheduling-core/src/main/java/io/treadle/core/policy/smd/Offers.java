// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is given out by size, and the jobs that may have it.
 *
 * @param jobs each with its fastest size there; those that do not even hold their least are left out
 * @param room what is given out
 * @param late the oldest of the jobs with which nothing is lost any more, which by now must not wait for what others leave:
 *     what it needs at least is kept for it
 */
record Offers(List<Worth> jobs, ResourceVector room, Optional<PsJob> late) {
    Offers {
        jobs = List.copyOf(jobs);
    }

    /** @param keepsForLate whether what the oldest late job needs is kept for it */
    static Offers of(Pool pool, Sizer sizer, SmdRules rules, boolean keepsForLate) {
        ResourceVector room = room(pool, rules);
        List<Worth> jobs = worths(pool, sizer, room);
        Optional<PsJob> late = jobs.stream()
                .filter(worth -> worth.isLate(rules.maxWaitSeconds()) && pool.couldHold(worth.job()))
                .map(Worth::job)
                .findFirst();
        if (late.isEmpty() || !keepsForLate) {
            return new Offers(jobs, room, Optional.empty());
        }
        PsJob oldest = late.get();
        ResourceVector rest = pool.capacity().minus(oldest.use(oldest.least())).max(ResourceVector.ZERO);
        return new Offers(
                worths(pool, sizer, room.min(rest)).stream()
                        .filter(worth -> worth.job() != oldest)
                        .toList(),
                room.min(rest),
                late);
    }

    /** A part of all there is, but at least what any job needs: what one alone could have is not hidden from it. */
    private static ResourceVector room(Pool pool, SmdRules rules) {
        ResourceVector room = pool.offered(rules.capacityFactor());
        for (PsJob job : pool.jobs()) {
            ResourceVector least = job.use(job.least());
            if (least.fitsIn(pool.capacity())) {
                room = room.max(least);
            }
        }
        return room.min(pool.capacity());
    }

    private static List<Worth> worths(Pool pool, Sizer sizer, ResourceVector room) {
        List<Worth> jobs = new ArrayList<>();
        for (PsJob job : pool.jobs()) {
            sizer.size(job, job.cap().min(room)).ifPresent(best -> jobs.add(new Worth(job, best)));
        }
        return jobs;
    }
}
