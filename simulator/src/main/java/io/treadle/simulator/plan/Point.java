// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What came of a candidate.
 *
 * @param gpus of all its nodes
 * @param perHour what they cost for an hour; 0 where no price is known
 * @param figures null where it cannot run the jobs at all
 * @param trouble why it cannot; empty where it can
 */
record Point(Candidate candidate, long gpus, double perHour, @Nullable Figures figures, String trouble) {
    private static final double HOUR_SECONDS = 3600;

    int nodes() {
        return candidate.nodes();
    }

    String policy() {
        return candidate.policy();
    }

    boolean meets(List<Goal> goals) {
        Figures known = figures;
        return known != null && goals.stream().allMatch(goal -> goal.holds(known.of(goal)));
    }

    /** The figure that a goal is about; empty where the jobs cannot run. */
    OptionalDouble figure(Goal goal) {
        return figures == null ? OptionalDouble.empty() : OptionalDouble.of(figures.of(goal));
    }

    /** What the cluster costs until the last job has ended, over the jobs; empty where that is not known. */
    OptionalDouble perJob() {
        return figures == null || figures.jobs() == 0 || Double.isInfinite(figures.makespanSeconds())
                ? OptionalDouble.empty()
                : OptionalDouble.of(perHour * figures.makespanSeconds() / HOUR_SECONDS / figures.jobs());
    }

    /** What an hour of a GPU that is in use costs, idle ones paid for by those in use. */
    OptionalDouble perUsedGpuHour() {
        return figures == null || figures.utilization() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(perHour / (gpus * figures.utilization()));
    }
}
