// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What goals can be about. */
enum Measure {
    /** All time in which a job did not run, s. */
    WAIT(true),
    /** From submission to end, s. */
    JCT(true),
    /** Completion time over run time on its share, as in the report. */
    SLOWDOWN(true),
    /** Share of all GPU time that was handed out, 0 to 1. */
    UTILIZATION(false),
    /** From the first submission to the last end, s. */
    MAKESPAN(false);

    private final boolean isOfJobs;

    Measure(boolean isOfJobs) {
        this.isOfJobs = isOfJobs;
    }

    /** Whether every job has its own, so that a goal names a statistic. */
    boolean isOfJobs() {
        return isOfJobs;
    }

    boolean isTime() {
        return this == WAIT || this == JCT || this == MAKESPAN;
    }

    static Optional<Measure> named(String word) {
        return Arrays.stream(values())
                .filter(measure -> measure.text().equals(word))
                .findFirst();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
