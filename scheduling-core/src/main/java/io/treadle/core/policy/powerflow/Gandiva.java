// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.List;

/**
 * After Gandiva (OSDI 2018): nobody's length is known, all jobs take turns on the GPUs that they ask for, each a slice of time
 * at a go. (Gandiva also puts several jobs on one GPU where they go well together; of that the profiles say nothing.)
 */
final class Gandiva implements GpuChooser {
    /** How long a job runs before others that have run less may take its place, s; a stop costs half a minute. */
    private static final double SLICE_SECONDS = 1800;

    private final GpuChooser gangs =
            FixedGangs.preemptive(job -> Math.floor(job.attainedGpuSeconds() / job.gpus(job.least()) / SLICE_SECONDS));

    @Override
    public boolean scales() {
        return gangs.scales();
    }

    @Override
    public List<Choice> choose(Situation situation) {
        return gangs.choose(situation);
    }
}
