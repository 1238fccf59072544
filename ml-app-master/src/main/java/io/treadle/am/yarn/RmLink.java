// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether what an application asks reaches a ResourceManager that can act on it. It does not while the ResourceManager is
 * silent, nor in the time after a failover in which nodes register again. Safe for use by several threads.
 */
public final class RmLink {
    /** Heartbeats without an answer after which the ResourceManager counts as silent. */
    private static final int MISSED = 3;

    private static final long LEAST_SILENCE_MS = 1_500;
    /** Nodes register again with their next heartbeats, and the planner works once a second. */
    private static final long REGISTRATION_MS = 5_000;

    private final long silenceNanos;
    private final long recoveryNanos;
    private final LongSupplier nanoTime;
    private final RefusedAsks refusedAsks;
    private long answeredNanos;
    private boolean recovers;
    private long recoveredNanos;

    /**
     * @param heartbeatMs interval of calls to the ResourceManager, ms
     * @param recoveryMs how long a ResourceManager grants nothing after it became active, ms
     */
    public RmLink(long heartbeatMs, long recoveryMs, LongSupplier nanoTime) {
        this.silenceNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_SILENCE_MS, MISSED * heartbeatMs));
        this.recoveryNanos = TimeUnit.MILLISECONDS.toNanos(recoveryMs + REGISTRATION_MS);
        this.nanoTime = nanoTime;
        this.refusedAsks = new RefusedAsks(nanoTime);
        this.answeredNanos = nanoTime.getAsLong();
    }

    /** Asks that the ResourceManager has refused. */
    public RefusedAsks refusedAsks() {
        return refusedAsks;
    }

    /** @param again whether this ResourceManager did not know the application before this call */
    synchronized void answered(boolean again) {
        answeredNanos = nanoTime.getAsLong();
        if (again) {
            recovers = true;
            recoveredNanos = answeredNanos + recoveryNanos;
        }
    }

    /** Whether the ResourceManager answers, and has had time to learn again what it has lost. */
    public synchronized boolean hears() {
        long now = nanoTime.getAsLong();
        recovers &= now - recoveredNanos < 0;
        return !recovers && now - answeredNanos < silenceNanos;
    }
}
