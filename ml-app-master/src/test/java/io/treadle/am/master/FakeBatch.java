// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.core.wire.WorkerCommand;

/** The batch that a fake worker trains with. */
final class FakeBatch {
    static final long OWN = 16;
    /** A pass takes as long as so many samples, and its own. */
    private static final double START_SAMPLES = 4;

    /** Samples of a pass now. */
    long size = OWN;
    /** What the job takes by itself. */
    long own = OWN;
    /** Whether it takes others. */
    boolean changes;
    /** The largest other one that fits. */
    long most = OWN;

    String refused = "";

    /** How many times faster a worker is than with its own batch. */
    static double gain(long batch) {
        return (1 + START_SAMPLES / OWN) / (1 + START_SAMPLES / batch);
    }

    /** 0 where it takes no others. */
    long passes() {
        return changes ? (OWN + size - 1) / size : 0;
    }

    /** Returns whether it answers. */
    boolean take(WorkerCommand command) {
        if (!changes || command.command() != WorkerCommand.Command.BATCH) {
            return false;
        }
        boolean fits = command.batchSize() <= most;
        size = command.batchSize() > 0 && fits ? command.batchSize() : own;
        refused = fits ? "" : "out of memory";
        return true;
    }
}
