// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When the pages of a followed job are read. The ResourceManager's log notes each page that is read, so the interval
 * grows with the time for which the job has been followed: it is 5 % of it, from {@code treadle.client.poll-interval-ms}
 * up to one minute. Not thread-safe.
 */
final class PageInterval {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int PARTS = 20;

    private final long leastNanos;
    private final LongSupplier nanoTime;
    private final long begunNanos;
    private long readNanos;
    private boolean read;

    private PageInterval(long leastNanos, LongSupplier nanoTime) {
        this.leastNanos = leastNanos;
        this.nanoTime = nanoTime;
        this.begunNanos = nanoTime.getAsLong();
    }

    static PageInterval of(ClientConf settings, LongSupplier nanoTime) {
        return new PageInterval(TimeUnit.MILLISECONDS.toNanos(settings.pollIntervalMs()), nanoTime);
    }

    /** Whether pages are to be read now. True begins a new interval. */
    boolean takeDue() {
        long now = nanoTime.getAsLong();
        long interval = Math.max(leastNanos, Math.min((now - begunNanos) / PARTS, LONGEST_NANOS));
        if (read && now - readNanos < interval) {
            return false;
        }
        restart();
        return true;
    }

    /** Pages are read now, whether they were due or not. */
    void restart() {
        read = true;
        readNanos = nanoTime.getAsLong();
    }
}
