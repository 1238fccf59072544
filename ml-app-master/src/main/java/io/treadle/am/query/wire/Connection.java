// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Frames over TCP. Several threads may send at the same time; one reads. */
public final class Connection implements Closeable {
    private static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final FrameCodec codec;
    private final DataInputStream in;
    private final DataOutputStream out;

    public Connection(Socket socket, FrameCodec codec) throws IOException {
        this.socket = socket;
        this.codec = codec;
        // Frames are whole when they are sent: to wait for more costs a round trip.
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
    }

    /**
     * Connects, and says who it is.
     *
     * @throws IOException if nobody answers in time
     */
    public static Connection open(String host, int port, FrameCodec codec, Message.Hello hello, int timeoutMs)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), timeoutMs);
            Connection connection = new Connection(socket, codec);
            connection.send(Frame.of(hello));
            return connection;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** @throws WireException if the frame is larger than it may be */
    public void check(Frame frame) throws WireException {
        codec.check(frame);
    }

    public void send(Frame frame) throws IOException {
        synchronized (out) {
            codec.write(frame, out);
            out.flush();
        }
    }

    /** Sends several, together as far as they go. */
    public void send(List<Frame> frames) throws IOException {
        synchronized (out) {
            for (Frame frame : frames) {
                codec.write(frame, out);
            }
            out.flush();
        }
    }

    public Frame read() throws IOException {
        return codec.read(in);
    }

    /**
     * With other limits than those of the connection, and all of it within a time, after which the connection is closed: who
     * sends a byte now and then is no frame nearer to its end.
     */
    public Frame read(FrameCodec other, int withinMs) throws IOException {
        CompletableFuture<Frame> read = new CompletableFuture<>();
        read.orTimeout(withinMs, TimeUnit.MILLISECONDS).exceptionally(late -> {
            closeQuietly();
            return null;
        });
        Frame frame = other.read(in);
        if (!read.complete(frame)) {
            throw new SocketTimeoutException("nothing whole has come within " + withinMs + " ms");
        }
        return frame;
    }

    /** How long {@link #read} waits; 0 for ever. */
    public void timeout(int ms) throws IOException {
        socket.setSoTimeout(ms);
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // It is not used any more, whatever became of it.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
