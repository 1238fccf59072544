// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

/**
 * What a job has to do.
 *
 * @param samples how many samples, or iterations, or seconds; 0 for a job that never ends
 * @param secondsPerSample how long one takes at the GPU-proportional share
 */
public record Work(double samples, double secondsPerSample) {
    public static final Work NEVER_ENDS = new Work(0, 0);

    public static Work ofSeconds(double seconds) {
        return new Work(seconds, 1);
    }

    public boolean ends() {
        return secondsPerSample > 0;
    }

    /** Run time at the GPU-proportional share, s. */
    public double seconds() {
        return samples * secondsPerSample;
    }
}
