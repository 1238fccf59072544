// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

/**
 * How much of a job's work is left to it when it is stopped: all that it has done, or what it had done at its last
 * checkpoint. What it does again after a restart, up to where it was, is nothing new.
 */
final class KeptWork {
    private final double everyMs;
    private double samples;
    /** When the run at hand came to where the one before had left off: checkpoints count from there. */
    private double sinceMs;

    KeptWork(Costs costs) {
        this.everyMs = costs.checkpointSeconds() * 1000;
    }

    /**
     * A run starts.
     *
     * @param samplesDone below what is kept by what it costs to start again
     * @param perMs samples in a ms
     */
    void starts(long nowMs, double samplesDone, double perMs) {
        sinceMs = perMs > 0 ? nowMs + Math.max(0, samples - samplesDone) / perMs : nowMs;
    }

    /**
     * The run has gone on at this speed.
     *
     * @param fromMs since when
     * @param before what was done then
     * @param after what is done now
     */
    void ran(long fromMs, double before, double perMs, long nowMs, double after) {
        if (everyMs == 0) {
            samples = Math.max(samples, after);
            return;
        }
        double lastMs = sinceMs + Math.floor((nowMs - sinceMs) / everyMs) * everyMs;
        if (lastMs >= fromMs) {
            samples = Math.max(samples, Math.min(after, before + perMs * (lastMs - fromMs)));
        }
    }

    /** All that is done is kept. */
    void keep(double done) {
        samples = Math.max(samples, done);
    }

    double samples() {
        return samples;
    }
}
