// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.List;

/**
 * Tiresias (NSDI 2019) with two-dimensional least attained service in discrete queues: a job falls to the next queue once it
 * has had so many GPU-seconds; in a queue the first submitted is first.
 */
final class Tiresias implements GpuChooser {
    /** GPU-seconds after which a job falls to the second queue, and to the third. */
    private static final double[] LIMITS = {3600, 8 * 3600};

    private final GpuChooser gangs = FixedGangs.preemptive(Tiresias::queue);

    private static double queue(Candidate job) {
        int queue = 0;
        while (queue < LIMITS.length && job.attainedGpuSeconds() >= LIMITS[queue]) {
            queue++;
        }
        return queue;
    }

    @Override
    public boolean scales() {
        return gangs.scales();
    }

    @Override
    public List<Choice> choose(Situation situation) {
        return gangs.choose(situation);
    }
}
