// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.List;

/** Chooses GPUs of jobs without a thought of power. */
interface GpuChooser {
    /** As {@link Chooser#scales}. */
    boolean scales();

    /** For those that are to run, in the order in which they are to find room, at their highest cap. */
    List<Choice> choose(Situation situation);

    /** At its highest cap. */
    static Choice uncapped(Candidate job, int size) {
        return new Choice(job, size, job.energy().caps() - 1);
    }
}
