// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import java.util.Optional;

/**
 * What a job has to do.
 *
 * @param samples how many samples, or iterations, or seconds; 0 for a job that never ends
 * @param secondsPerSample how long one takes at the GPU-proportional share, or where it is told what its speed depends on,
 *     at speed 1; with as many tasks as the job needs
 * @param scaling how its speed grows with its tasks: with x times as many as it needs it is x to the power of this as
 *     fast, 1 for in proportion
 * @param sensitivity what beside GPUs its speed depends on, where the run time is that of a job that lacks nothing of it
 */
public record Work(double samples, double secondsPerSample, double scaling, Optional<Sensitivity> sensitivity) {
    public static final Work NEVER_ENDS = new Work(0, 0);

    /** Whose speed grows in proportion to its tasks. */
    public Work(double samples, double secondsPerSample) {
        this(samples, secondsPerSample, 1);
    }

    /** Of which is not told what else its speed depends on. */
    public Work(double samples, double secondsPerSample, double scaling) {
        this(samples, secondsPerSample, scaling, Optional.empty());
    }

    public static Work ofSeconds(double seconds) {
        return new Work(seconds, 1);
    }

    Work scaling(double other) {
        return new Work(samples, secondsPerSample, other, sensitivity);
    }

    Work dependingOn(Optional<Sensitivity> other) {
        return new Work(samples, secondsPerSample, scaling, other);
    }

    public boolean ends() {
        return secondsPerSample > 0;
    }

    /** Run time at the GPU-proportional share with as many tasks as the job needs, s. */
    public double seconds() {
        return samples * secondsPerSample;
    }

    /** How much faster it is with so many tasks than with those that it needs. */
    public double speedup(int tasks, int needed) {
        return tasks == needed ? 1 : Math.pow((double) tasks / needed, scaling);
    }
}
