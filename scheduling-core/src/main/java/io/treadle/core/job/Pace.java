// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

/**
 * How a job's progress goes on since it was last looked at.
 *
 * @param sinceMs when that was, ms on the snapshot's clock
 * @param samplesPerSecond how fast it is now
 * @param gpus GPUs that it holds now
 */
public record Pace(long sinceMs, double samplesPerSecond, long gpus) {
    /** For a job that waits, or is looked at in every snapshot. */
    public static final Pace STILL = new Pace(0, 0, 0);

    double samples(long nowMs) {
        return samplesPerSecond == 0 ? 0 : samplesPerSecond * (nowMs - sinceMs) / 1000;
    }

    double gpuSeconds(long nowMs) {
        return gpus == 0 ? 0 : (double) gpus * (nowMs - sinceMs) / 1000;
    }
}
