// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.wire.Connection;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Other workers, to which outputs go. */
final class Peers implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final int TIMEOUT_MS = 5_000;

    private record Address(String host, int port) {}

    private final FrameCodec codec;
    private final String secret;
    private final ExecutorService senders = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "outputs");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Address, Connection> connections = new HashMap<>();

    Peers(FrameCodec codec, String secret) {
        this.codec = codec;
        this.secret = secret;
    }

    /**
     * Sends without holding anybody up.
     *
     * @param failed is told why, where it cannot be sent
     */
    void send(String host, int port, Frame frame, Consumer<String> failed) {
        senders.execute(() -> {
            Address address = new Address(host, port);
            Connection connection = null;
            try {
                connection = connection(address);
                connection.send(frame);
            } catch (IOException e) {
                drop(address, connection);
                failed.accept("worker " + host + ":" + port + " cannot be reached: " + e.getMessage());
            }
        });
    }

    private Connection connection(Address address) throws IOException {
        synchronized (connections) {
            Connection known = connections.get(address);
            if (known != null) {
                return known;
            }
        }
        Connection fresh = Connection.open(
                address.host(), address.port(), codec, new Message.Hello(Message.VERSION, secret, ""), TIMEOUT_MS);
        synchronized (connections) {
            Connection known = connections.putIfAbsent(address, fresh);
            if (known == null) {
                watch(address, fresh);
                return fresh;
            }
            // Another sender was faster.
            fresh.close();
            return known;
        }
    }

    /** Peers say nothing: what comes is the end, and what were sent after it would be lost without a word. */
    private void watch(Address address, Connection connection) {
        Thread thread = new Thread(
                () -> {
                    try {
                        connection.read();
                    } catch (IOException e) {
                        LOG.debug("{} has gone", address);
                    }
                    drop(address, connection);
                },
                "peer " + address.host() + ":" + address.port());
        thread.setDaemon(true);
        thread.start();
    }

    private void drop(Address address, @Nullable Connection broken) {
        if (broken != null) {
            synchronized (connections) {
                connections.remove(address, broken);
            }
            close(broken);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // It is not used any more, whatever became of it.
        }
    }

    @Override
    public void close() {
        senders.shutdownNow();
        synchronized (connections) {
            connections.values().forEach(Peers::close);
            connections.clear();
        }
    }
}
