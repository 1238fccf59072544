// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection to a Unix socket. Whoever is at its other end may hang: no call waits longer than the given time. */
final class UnixConnection implements Closeable {
    private static final int MOST_BYTES = 64 << 10;

    private final Path socket;
    private final long timeoutMs;
    private final SocketChannel channel;
    private final Selector selector;
    private final StringBuilder received = new StringBuilder();

    private UnixConnection(Path socket, long timeoutMs, SocketChannel channel, Selector selector) {
        this.socket = socket;
        this.timeoutMs = timeoutMs;
        this.channel = channel;
        this.selector = selector;
    }

    /** @throws IOException if nobody listens there, or this process may not connect */
    static UnixConnection open(Path socket, long timeoutMs) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            connect(channel, socket, timeoutMs);
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new UnixConnection(socket, timeoutMs, channel, selector);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** On a thread of its own: where too many wait to be accepted, the kernel lets the next one wait for ever. */
    private static void connect(SocketChannel channel, Path socket, long timeoutMs) throws IOException {
        FutureTask<Boolean> attempt = new FutureTask<>(() -> channel.connect(UnixDomainSocketAddress.of(socket)));
        Thread thread = new Thread(attempt, "treadle-connect");
        thread.setDaemon(true);
        thread.start();
        try {
            attempt.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException(socket + " accepted nobody within " + timeoutMs + " ms");
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause() == null ? e : e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to " + socket, e);
        }
    }

    /** @throws IOException if the other end does not take it; what is sent is far smaller than a socket's buffer */
    void send(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                throw new IOException(socket + " takes nothing more");
            }
        }
    }

    /**
     * The next line, without its end.
     *
     * @throws IOException if there is none in time, or the other end has hung up
     */
    String line() throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        int at;
        while ((at = received.indexOf("\n")) < 0) {
            if (!receive(end)) {
                throw new EOFException(socket + " has hung up");
            }
        }
        String line = received.substring(0, at);
        received.delete(0, at + 1);
        return line;
    }

    /**
     * All that comes until the other end hangs up.
     *
     * @throws IOException if it does not in time
     */
    String rest() throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (receive(end)) {
            // Until it hangs up.
        }
        return received.toString();
    }

    /** False when the other end has hung up. */
    private boolean receive(long endNanos) throws IOException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
        if (leftMs <= 0 || selector.select(leftMs) == 0) {
            throw new SocketTimeoutException(socket + " gave no answer within " + timeoutMs + " ms");
        }
        selector.selectedKeys().clear();
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        if (channel.read(bytes) < 0) {
            return false;
        }
        // Answers are plain ASCII: a character is never cut in two.
        received.append(StandardCharsets.ISO_8859_1.decode(bytes.flip()));
        if (received.length() > MOST_BYTES) {
            throw new IOException(socket + " answers with more than " + MOST_BYTES + " bytes");
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
