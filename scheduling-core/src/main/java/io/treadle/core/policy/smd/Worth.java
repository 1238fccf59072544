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

    /** The part that counts of what is not lost by waiting. */
    private static final double ANYWAY = 0.1;
    /** What takes less counts as this: it does not pay to make way for minutes. */
    private static final double LEAST_HOURS = 1.0 / 6;

    private static final double SECONDS_AN_HOUR = 3600;

    private final PsJob job;
    private final PsSize best;
    private final Utility utility;

    /** @param best the size at which it ends soonest */
    Worth(PsJob job, PsSize best) {
        this.job = job;
        this.best = best;
        this.utility = job.utility(OptionalDouble.of(DEFAULT_TARGET * job.wholeSeconds(best) / SECONDS_AN_HOUR));
    }

    PsJob job() {
        return job;
    }

    PsSize best() {
        return best;
    }

    double at(PsSize size) {
        return at(size, 0);
    }

    /** The same if it were admitted so many seconds later. */
    private double at(PsSize size, double waitSeconds) {
        return utility.at(job.elapsedSeconds() + waitSeconds + job.secondsLeft(size)) + TINY * job.weight();
    }

    /** Whether nothing is lost with it any more, however soon it ends, and it has come so long ago. */
    boolean isLate(double seconds) {
        return job.elapsedSeconds() >= seconds && at(best) < LATE * job.weight();
    }

    /**
     * What an hour in which it runs brings: of what its end is worth, what would be lost if it were admitted an hour later,
     * and a part of the rest, which somebody else could not have meanwhile.
     */
    double anHour(PsSize size) {
        double lost = at(size) - (1 - ANYWAY) * at(size, SECONDS_AN_HOUR);
        return lost / Math.max(LEAST_HOURS, job.secondsLeft(size) / SECONDS_AN_HOUR);
    }
}
