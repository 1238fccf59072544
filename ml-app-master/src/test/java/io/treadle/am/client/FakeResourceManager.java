// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.HttpLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A ResourceManager's web address, which answers what a test says. Other paths answer 404 without words. */
final class FakeResourceManager implements AutoCloseable {
    private record Page(int status, String body) {}

    private final HttpServer server;
    private final Map<String, Page> pages = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile String standbyOf = "";

    FakeResourceManager() throws IOException {
        server = HttpLimits.newServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                asked.add(exchange.getRequestURI().toString());
                if (!standbyOf.isEmpty()) {
                    exchange.getResponseHeaders().set("Location", standbyOf + exchange.getRequestURI());
                    exchange.sendResponseHeaders(307, -1);
                    return;
                }
                Page page = pages.getOrDefault(path, new Page(404, "not found"));
                byte[] body = page.body().getBytes(UTF_8);
                exchange.sendResponseHeaders(page.status(), body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    void answers(String path, String json) {
        pages.put(path, new Page(200, json));
    }

    void refuses(String path, int status, String exception, String message) {
        pages.put(
                path,
                new Page(
                        status,
                        "{\"RemoteException\":{\"exception\":\"" + exception + "\",\"message\":\"" + message + "\"}}"));
    }

    /** From now on it redirects to the other one, as a standby does. */
    void isStandbyOf(FakeResourceManager active) {
        standbyOf = "http://" + active.address();
    }

    /** Paths and queries of requests so far. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
