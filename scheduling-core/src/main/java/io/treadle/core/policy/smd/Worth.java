// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.PsSize;
import java.util.OptionalDouble;

/** What the end of a job is worth at each of its sizes. */
final class Worth {
    /** Where nobody says by when: half as long again as it takes at its best. */
    private static final double DEFAULT_TARGET = 1.5;
    /** Below this part of its weight nothing is lost with a job any more. */
    private static final double LATE = 0.01;
    /** What ranks those with which nothing is lost any more. */
    private static final double TINY = 1e-6;

    private static final double SECONDS_AN_HOUR = 3600;

    private final PsJob job;
    private final PsSize best;
    private final Utility utility;

    /** @param best the size at which it ends soonest */
    Worth(PsJob job, PsSize best, SmdRules rules) {
        this.job = job;
        this.best = best;
        Utility told = job.utility(OptionalDouble.of(DEFAULT_TARGET * job.wholeSeconds(best) / SECONDS_AN_HOUR));
        double soonest = job.elapsedSeconds() + job.secondsLeft(best);
        boolean isLate = told.at(soonest) < LATE * told.weight() && job.elapsedSeconds() >= rules.maxWaitSeconds();
        // As if it had come just now: it may not starve.
        this.utility =
                isLate ? told.withTarget((job.elapsedSeconds() + 2 * job.secondsLeft(best)) / SECONDS_AN_HOUR) : told;
    }

    PsSize best() {
        return best;
    }

    double at(PsSize size) {
        return utility.at(job.elapsedSeconds() + job.secondsLeft(size)) + TINY * job.weight();
    }
}
