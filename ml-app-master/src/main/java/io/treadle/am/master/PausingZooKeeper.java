// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of a ZooKeeper that may refuse it. A refused client is closed for a minute, then for longer, up to ten minutes:
 * open, it would connect once a second and log each time. For one thread at a time but for {@link #close}.
 */
final class PausingZooKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PausingZooKeeper.class);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Supplier<CuratorFramework> clients;
    private final LongSupplier nanoTime;
    private Optional<CuratorFramework> client = Optional.empty();
    private boolean closed;
    /** 0 where the last client was not refused. */
    private long pauseNanos;

    private long pausedNanos;

    /** @param clients makes clients that are not started yet */
    PausingZooKeeper(Supplier<CuratorFramework> clients, LongSupplier nanoTime) {
        this.clients = clients;
        this.nanoTime = nanoTime;
        open();
    }

    /** The client, if it is connected; empty else, also in a pause. */
    synchronized Optional<CuratorFramework> connected() {
        if (client.isEmpty() && !closed && nanoTime.getAsLong() - pausedNanos >= pauseNanos) {
            open();
        }
        return client.filter(c -> c.getZookeeperClient().isConnected());
    }

    /** Whether there is a client; none is there in a pause. */
    synchronized boolean isOpen() {
        return client.isPresent();
    }

    private synchronized void open() {
        client = Optional.of(clients.get());
        client.get().start();
    }

    /** Something was read or written. */
    synchronized void worked() {
        if (pauseNanos > 0) {
            pauseNanos = 0;
            LOG.info("ZooKeeper takes the job's sessions again");
        }
    }

    /** ZooKeeper has ended a session because it wants other credentials. */
    synchronized void refused() {
        if (pauseNanos == 0) {
            LOG.warn("ZooKeeper refuses the job's sessions: it takes only clients that authenticate by SASL, which an"
                    + " ApplicationMaster cannot. The job runs on, but the scheduler does not learn its profile and"
                    + " progress; it is tried again after some minutes.\nMaybe set enforce.auth.schemes=sasl,digest on"
                    + " the ZooKeeper servers.");
        }
        pauseNanos = pauseNanos == 0 ? FIRST_PAUSE_NANOS : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        pausedNanos = nanoTime.getAsLong();
        client.ifPresent(CuratorFramework::close);
        client = Optional.empty();
    }

    @Override
    public synchronized void close() {
        closed = true;
        client.ifPresent(CuratorFramework::close);
        client = Optional.empty();
    }
}
