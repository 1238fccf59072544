// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import java.util.OptionalDouble;

/**
 * How far a job is.
 *
 * @param samplesDone samples done since its first start
 * @param samplesTotal samples that it needs; 0 where unknown
 * @param samplesPerSecond speed at its GPU-proportional share; 0 where unknown
 * @param attainedGpuSeconds GPU-seconds that it has held so far
 */
public record Progress(double samplesDone, double samplesTotal, double samplesPerSecond, double attainedGpuSeconds) {
    public static final Progress NONE = new Progress(0, 0, 0, 0);

    /** Seconds left at the proportional share; empty where total or speed is unknown. */
    public OptionalDouble remainingSeconds() {
        return samplesTotal > 0 && samplesPerSecond > 0
                ? OptionalDouble.of(Math.max(0, samplesTotal - samplesDone) / samplesPerSecond)
                : OptionalDouble.empty();
    }
}
