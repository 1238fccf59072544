// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power.helper;

import io.treadle.nm.power.HelperProtocol;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a Unix socket that its own user and group may open; one thread for each client. */
final class PowerHelper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PowerHelper.class);
    private static final int MOST_CLIENTS = 16;

    private final Path socket;
    private final HelperDevices devices;
    private final ServerSocketChannel server;
    private final Semaphore places = new Semaphore(MOST_CLIENTS);

    private PowerHelper(Path socket, HelperDevices devices, ServerSocketChannel server) {
        this.socket = socket;
        this.devices = devices;
        this.server = server;
    }

    /** @throws IOException if the socket cannot be made */
    static PowerHelper listen(Path socket, HelperDevices devices) throws IOException {
        // What a helper before has left; the directory is ours alone.
        Files.deleteIfExists(socket);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw----"));
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        return new PowerHelper(socket, devices, server);
    }

    /** Serves clients until {@link #close}. */
    void serve() throws IOException {
        LOG.info("listening on {}", socket);
        while (server.isOpen()) {
            SocketChannel client;
            try {
                client = server.accept();
            } catch (ClosedChannelException e) {
                return;
            }
            if (!places.tryAcquire()) {
                LOG.warn("more than {} clients: one is sent away", MOST_CLIENTS);
                client.close();
                continue;
            }
            Thread thread = new Thread(() -> talk(client), "treadle-power-client");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void talk(SocketChannel client) {
        try (client;
                HelperSession session = new HelperSession(devices)) {
            ByteBuffer bytes = ByteBuffer.allocate(HelperProtocol.MOST_LINE);
            StringBuilder line = new StringBuilder();
            while (client.read(bytes.clear()) >= 0) {
                for (char c : StandardCharsets.ISO_8859_1
                        .decode(bytes.flip())
                        .toString()
                        .toCharArray()) {
                    if (c != '\n') {
                        line.append(c);
                    } else {
                        send(client, session.answer(line.toString()));
                        line.setLength(0);
                    }
                }
                if (line.length() > HelperProtocol.MOST_LINE) {
                    LOG.warn("a client sends a line without an end: it is sent away");
                    return;
                }
            }
        } catch (IOException e) {
            LOG.info("a client is gone: {}", e.toString());
        } finally {
            places.release();
        }
    }

    private static void send(SocketChannel client, String answer) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    /** Hangs up, and gives every GPU its own limit back. */
    @Override
    public synchronized void close() throws IOException {
        server.close();
        Files.deleteIfExists(socket);
        devices.releaseAll();
    }
}
