// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.HttpLimits;
import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The runner's own port: an ApplicationMaster that was started again says here where it is. */
final class AnnounceServer implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9._\\[\\]:-]{1,255}:[0-9]{1,5}");

    /** One may be held by a connection that sends only half a request. */
    private static final int THREADS = 2;

    private final HttpServer server;
    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS, run -> {
        Thread thread = new Thread(run, "announce");
        thread.setDaemon(true);
        return thread;
    });
    private final byte[] secret;
    private final Consumer<String> onAddress;

    private AnnounceServer(HttpServer server, String secret, Consumer<String> onAddress) {
        this.server = server;
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
        this.onAddress = onAddress;
    }

    static AnnounceServer start(String secret, Consumer<String> onAddress) throws IOException {
        HttpServer server = HttpLimits.newServer(new InetSocketAddress(0), 0);
        AnnounceServer announce = new AnnounceServer(server, secret, onAddress);
        announce.server.createContext(RunnerProtocol.ANNOUNCE, announce::handle);
        announce.server.setExecutor(announce.pool);
        announce.server.start();
        return announce;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String given = exchange.getRequestHeaders().getFirst(RunnerProtocol.SECRET_HEADER);
            if (given == null || !MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8))) {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            String address;
            try (InputStream body = exchange.getRequestBody()) {
                address = new String(body.readNBytes(512), StandardCharsets.UTF_8).trim();
            }
            if (!ADDRESS.matcher(address).matches()) {
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            onAddress.accept(address);
            exchange.sendResponseHeaders(204, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        pool.shutdownNow();
    }
}
