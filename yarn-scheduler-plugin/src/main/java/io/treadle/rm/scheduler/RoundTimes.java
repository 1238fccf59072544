// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How long the parts of a round take, summed up over its queues. Used by the planner thread. */
final class RoundTimes {
    private long snapshotNanos;
    private long policyNanos;

    void roundBegins() {
        snapshotNanos = 0;
        policyNanos = 0;
    }

    <T> T ofSnapshot(Supplier<T> part) {
        long start = System.nanoTime();
        try {
            return part.get();
        } finally {
            snapshotNanos += System.nanoTime() - start;
        }
    }

    <T> T ofPolicy(Supplier<T> part) {
        long start = System.nanoTime();
        try {
            return part.get();
        } finally {
            policyNanos += System.nanoTime() - start;
        }
    }

    /** The snapshots of this round so far, ms. */
    long snapshotMs() {
        return TimeUnit.NANOSECONDS.toMillis(snapshotNanos);
    }

    /** The policies of this round so far, with the checks of their plans, ms. */
    long policyMs() {
        return TimeUnit.NANOSECONDS.toMillis(policyNanos);
    }
}
