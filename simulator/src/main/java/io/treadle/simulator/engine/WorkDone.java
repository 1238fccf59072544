// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.trace.Work;

/** How much of its work a job has done, what it held its GPUs for, and what of that was lost. */
final class WorkDone {
    private final Work work;
    private final long gpus;
    private final KeptWork kept;
    private double samples;
    private double attainedGpuSeconds;
    private double lostGpuSeconds;
    private double moreSeconds;

    /** @param gpus of the tasks that the job needs */
    WorkDone(Work work, long gpus, Costs costs) {
        this.work = work;
        this.gpus = gpus;
        this.kept = new KeptWork(costs);
    }

    /** Below 0 while it does what it has to do beyond its work. */
    double samples() {
        return samples;
    }

    /**
     * What will be done then.
     *
     * @param fromMs since when it runs at this rate
     * @param rate samples in a second
     */
    double samples(long fromMs, long nowMs, double rate) {
        return work.ends() ? Math.min(work.samples(), samples + rate * (nowMs - fromMs) / 1000) : samples;
    }

    double attainedGpuSeconds() {
        return attainedGpuSeconds;
    }

    double lostGpuSeconds() {
        return lostGpuSeconds;
    }

    double moreSeconds() {
        return moreSeconds;
    }

    boolean isAll() {
        return work.ends() && samples >= work.samples();
    }

    /** Seconds of work that are left at the share. */
    double secondsLeft() {
        return (work.samples() - samples) * work.secondsPerSample();
    }

    /** It starts, or goes on elsewhere. */
    void goesOn(long nowMs, double rate) {
        kept.starts(nowMs, samples, rate / 1000);
    }

    /** It has run at this rate, in samples in a second, and held so many GPUs. */
    void ran(long fromMs, long nowMs, double rate, long held) {
        if (work.ends()) {
            double before = samples;
            samples = samples(fromMs, nowMs, rate);
            kept.ran(fromMs, before, rate / 1000, nowMs, samples);
        }
        attainedGpuSeconds += (double) held * (nowMs - fromMs) / 1000;
    }

    /** It has run for a lease, of which only whole iterations count. */
    void leased(double seconds, double speedup) {
        double secondsPerIteration = work.secondsPerSample() / speedup;
        samples = Math.min(work.samples(), samples + Math.floor(seconds / secondsPerIteration));
        attainedGpuSeconds += seconds * gpus;
    }

    /** @param seconds of work at the share that it has to do beyond what is left */
    void doMore(double seconds) {
        if (seconds > 0 && work.ends()) {
            samples -= seconds / work.secondsPerSample();
            moreSeconds += seconds;
        }
    }

    /** @param seconds below 0 where what was counted as lost before was not spent yet */
    void lose(double seconds) {
        if (work.ends()) {
            samples -= seconds / work.secondsPerSample();
            moreSeconds += seconds;
            lostGpuSeconds += seconds * gpus;
        }
    }

    /** All that is done is kept. */
    void keep() {
        kept.keep(samples);
    }

    /** Seconds of work at the share that a stop would take; below 0 while it starts, by what is left of that. */
    double unkeptSeconds() {
        return (samples - kept.samples()) * work.secondsPerSample();
    }
}
