// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

/** What may still be drawn: by all nodes together, and by the GPUs of the jobs that are planned. Used while one plan is made. */
final class Allowance {
    private final double idleGpuWatts;
    private double nodes;
    private double jobs;

    /** What is left when none of the jobs runs that may be stopped. */
    Allowance(Situation situation) {
        idleGpuWatts = situation.power().idleGpuWatts();
        nodes = situation.power().limitWatts() - situation.baseWatts();
        jobs = situation.power().jobsLimitWatts() - situation.pinned().watts();
    }

    boolean allows(Choice choice) {
        return allows(choice.watts(), choice.gpus());
    }

    /** Whether the job may have this in place of what it has. */
    boolean allows(Choice from, Choice to) {
        return allows(to.watts() - from.watts(), to.gpus() - from.gpus());
    }

    private boolean allows(double watts, long gpus) {
        // Who draws less may always: what is over the limit comes down so.
        return (watts <= 0 || watts <= jobs)
                && (watts - gpus * idleGpuWatts <= 0 || watts - gpus * idleGpuWatts <= nodes);
    }

    void take(Choice choice) {
        take(choice.watts(), choice.gpus());
    }

    void take(Choice from, Choice to) {
        take(to.watts() - from.watts(), to.gpus() - from.gpus());
    }

    private void take(double watts, long gpus) {
        jobs -= watts;
        nodes -= watts - gpus * idleGpuWatts;
    }
}
