// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes out on a connection, by a thread of its own: who takes it slowly holds nobody else up. */
public final class Outbox implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    /** For one who takes nothing more: it is lost. */
    private static final int MOST_WAITING = 100_000;
    /** Frames that go out together. */
    private static final int MOST_TOGETHER = 64;

    /** Who takes none of what is sent for so long is gone, though TCP takes minutes to say so. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long IDLE = Long.MIN_VALUE;

    private final Connection connection;
    private final String to;
    private volatile long writesSinceNanos = IDLE;
    private final BlockingQueue<Frame> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Thread writer;

    /** @param to who gets it, for logs */
    public Outbox(Connection connection, String to) {
        this.connection = connection;
        this.to = to;
        writer = new Thread(this::write, "to " + to);
        writer.setDaemon(true);
        writer.start();
    }

    /** In the order in which it is called; what cannot go out any more ends the connection, of which its reader hears. */
    public void send(Frame frame) {
        long since = writesSinceNanos;
        if (!waiting.offer(frame) || (since != IDLE && System.nanoTime() - since > STUCK_NANOS)) {
            LOG.warn("{} takes nothing more", to);
            close();
        }
    }

    /** @throws WireException if the frame is larger than it may be */
    public void check(Frame frame) throws WireException {
        connection.check(frame);
    }

    private void write() {
        try {
            List<Frame> next = new ArrayList<>();
            while (true) {
                next.add(waiting.take());
                waiting.drainTo(next, MOST_TOGETHER);
                writesSinceNanos = System.nanoTime();
                connection.send(next);
                writesSinceNanos = IDLE;
                next.clear();
            }
        } catch (IOException e) {
            // Who reads hears of it.
            LOG.debug("{} does not hear any more", to, e);
            close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        writer.interrupt();
        try {
            connection.close();
        } catch (IOException e) {
            // It is not used any more, whatever became of it.
        }
    }
}
