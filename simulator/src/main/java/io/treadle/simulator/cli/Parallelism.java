// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import org.jspecify.annotations.Nullable;

/** How many simulations run at the same time. */
final class Parallelism {
    private static final int MOST = 1024;
    /** Heap that a simulation may need for each of its jobs, with ease: measured with a third of it. */
    private static final long BYTES_OF_A_JOB = 3_000;
    /** The same where all that happens is kept for a report. */
    private static final long BYTES_OF_A_REPORTED_JOB = 12_000;

    private Parallelism() {}

    /**
     * One for each core, fewer where they would not fit into the heap.
     *
     * @param asked what was asked for
     * @param jobs of a trace
     * @param pages whether reports are written
     */
    static int of(@Nullable Integer asked, long jobs, boolean pages) {
        if (asked != null) {
            if (asked < 1 || asked > MOST) {
                throw new InputException("--parallel is '" + asked + "', must be from 1 to " + MOST + ".");
            }
            return asked;
        }
        Runtime machine = Runtime.getRuntime();
        long fit = machine.maxMemory() / Math.max(1, jobs * (pages ? BYTES_OF_A_REPORTED_JOB : BYTES_OF_A_JOB));
        return (int) Math.max(1, Math.min(machine.availableProcessors(), fit));
    }
}
