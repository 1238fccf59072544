// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assertions;

/** Waits for what another thread or process is about to do. */
public final class Eventually {
    private static final long DEADLINE_NANOS = 180_000_000_000L;

    private Eventually() {}

    /** Polls the condition until it holds; a throw counts as not yet. */
    public static void eventually(String what, Callable<Boolean> condition) {
        long end = System.nanoTime() + DEADLINE_NANOS;
        Object last = false;
        while (System.nanoTime() < end) {
            try {
                if (condition.call()) {
                    return;
                }
            } catch (Exception e) {
                last = e;
            }
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
        Assertions.fail(what + " has not happened within a minute; last: " + last);
    }
}
