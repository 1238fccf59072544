// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.ArrayList;
import java.util.List;

/**
 * An amount that is waited for, over time, and what is kept free for it.
 *
 * @param kept what is kept free
 * @param keptMs when so much was last waited for
 * @param amounts what was waited for, the latest last: of the last three seconds, and the last before these
 */
record WaitedFor(long kept, long keptMs, List<Amount> amounts) {
    static final WaitedFor NOTHING = new WaitedFor(0, 0, List.of());

    /** Who waits for less long is about to be served anyway. */
    private static final long PATIENCE_MS = 3_000;

    /** @param ms when, since the epoch */
    record Amount(long ms, long amount) {}

    /**
     * Keeps the least of the last three seconds: that has been waited for all the time.
     *
     * @param amount that is waited for now
     * @param afterwardsMs how long as much is kept after less is waited for
     */
    WaitedFor seen(long amount, long afterwardsMs, long nowMs) {
        List<Amount> all = new ArrayList<>(amounts);
        all.add(new Amount(nowMs, amount));
        while (all.size() > 1 && nowMs - all.get(1).ms() >= PATIENCE_MS) {
            all.remove(0);
        }
        long due = nowMs - all.get(0).ms() < PATIENCE_MS
                ? 0
                : all.stream().mapToLong(Amount::amount).min().orElse(0);
        return due < kept && nowMs - keptMs < afterwardsMs
                ? new WaitedFor(kept, keptMs, all)
                : new WaitedFor(due, nowMs, all);
    }
}
