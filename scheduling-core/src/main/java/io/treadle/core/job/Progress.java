// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import java.util.OptionalDouble;

/**
 * How far a job is.
 *
 * @param samplesDone samples done since its first start
 * @param samplesTotal samples that it needs; 0 where unknown
 * @param secondsPerSample how long a sample takes at its GPU-proportional share; 0 where unknown
 * @param attainedGpuSeconds GPU-seconds that it has held so far
 * @param speedup how much faster than at its share it last ran, or would run at its demand before it has run
 * @param pace how samples and GPU-seconds have gone on since
 */
public record Progress(
        double samplesDone,
        double samplesTotal,
        double secondsPerSample,
        double attainedGpuSeconds,
        double speedup,
        Pace pace) {
    public static final Progress NONE = new Progress(0, 0, 0, 0);

    /** Workers may do some samples again after a restart, or fill up their last batch. */
    private static final double OVER_TOTAL = 1.1;

    /**
     * What a job says of itself. One that has done far more than it said that it needs would stay the shortest for ever: how
     * much is left of it, nobody knows.
     */
    public static Progress said(
            double samplesDone, double samplesTotal, double secondsPerSample, double attainedGpuSeconds) {
        boolean isOver = samplesDone > OVER_TOTAL * samplesTotal;
        return new Progress(samplesDone, isOver ? 0 : samplesTotal, secondsPerSample, attainedGpuSeconds);
    }

    /** As it stands now, of a job that is looked at in every snapshot. */
    public Progress(double samplesDone, double samplesTotal, double secondsPerSample, double attainedGpuSeconds) {
        this(samplesDone, samplesTotal, secondsPerSample, attainedGpuSeconds, 1, Pace.STILL);
    }

    /**
     * As whoever weighs a stop looks at a job that runs: with so much less to do, and so much less attained.
     *
     * @param seconds at its share, of all its GPUs
     */
    Progress shorterBy(double seconds, long gpus) {
        double total = isTimed() ? Math.max(Double.MIN_VALUE, samplesTotal - seconds / secondsPerSample) : samplesTotal;
        return new Progress(samplesDone, total, secondsPerSample, attainedGpuSeconds - seconds * gpus, speedup, pace);
    }

    public double samplesDone(long nowMs) {
        return samplesDone + pace.samples(nowMs);
    }

    public double attainedGpuSeconds(long nowMs) {
        return attainedGpuSeconds + pace.gpuSeconds(nowMs);
    }

    /** Whether total and speed are known, so that times can be told. */
    public boolean isTimed() {
        return samplesTotal > 0 && secondsPerSample > 0;
    }

    /** Seconds left at the proportional share; NaN where {@link #isTimed} is false. */
    public double secondsLeft(long nowMs) {
        return isTimed() ? Math.max(0, samplesTotal - samplesDone(nowMs)) * secondsPerSample : Double.NaN;
    }

    /** Seconds left at the proportional share; empty where total or speed is unknown. */
    public OptionalDouble remainingSeconds(long nowMs) {
        return isTimed() ? OptionalDouble.of(secondsLeft(nowMs)) : OptionalDouble.empty();
    }
}
