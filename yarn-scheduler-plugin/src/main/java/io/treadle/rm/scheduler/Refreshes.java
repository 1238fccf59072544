// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells a round whether the queues were refreshed while it ran. CapacityScheduler takes a new configuration into use before
 * it may still be refused: a round that has read from it must not act. Safe for use by several threads.
 */
final class Refreshes {
    /** Odd while a refresh is under way; refreshes exclude each other. */
    private final AtomicLong count = new AtomicLong();

    void begins() {
        count.incrementAndGet();
    }

    void ends() {
        count.incrementAndGet();
    }

    /** What a round keeps at its begin, for {@link #isUndisturbed}. */
    long stamp() {
        return count.get();
    }

    /** Whether no refresh was under way since the stamp was taken. */
    boolean isUndisturbed(long stamp) {
        return (stamp & 1) == 0 && count.get() == stamp;
    }
}
