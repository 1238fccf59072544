// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.HttpLimits;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster's HTTP server: the job's page and status for people, who come through the ResourceManager's
 * proxy, and the calls of runners, who show the job's secret.
 */
public final class AmServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AmServer.class);

    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int THREADS = 8;

    /** Turns a message of those who know the secret into the answer. */
    public interface Call {
        /**
         * @return JSON
         * @throws WireFormatException if the message is none
         */
        String answer(String body) throws RunnerCalls.RefusedException;
    }

    private final HttpServer server;
    private final ExecutorService pool;
    private final byte[] jobSecret;

    private AmServer(HttpServer server, ExecutorService pool, String jobSecret) {
        this.server = server;
        this.pool = pool;
        this.jobSecret = jobSecret.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Listens on a free port; answers 404 until {@link #serve}.
     *
     * @throws IOException if no port can be had
     */
    public static AmServer start(String jobSecret) throws IOException {
        HttpServer server = HttpLimits.newServer(new InetSocketAddress(0), 128);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS, run -> {
            Thread thread = new Thread(run, "http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(pool);
        server.start();
        return new AmServer(server, pool, jobSecret);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Answers the runners. */
    public void serve(RunnerCalls calls) {
        post(RunnerProtocol.REGISTER, body -> calls.register(RegisterMessage.fromJson(body))
                .toJson());
        post(RunnerProtocol.REPORT, body -> calls.report(ReportMessage.fromJson(body))
                .toJson());
        post(RunnerProtocol.FINISHED, body -> calls.finished(FinishedMessage.fromJson(body))
                .toJson());
    }

    /** Shows the job's page to those who come through the proxy. */
    public void showPage(Supplier<JobStatus> status, ProxyGate gate) {
        showPage(() -> StatusPage.render(status.get()), () -> status.get().toJson(), gate);
    }

    /** Shows a page, and what it shows as JSON, to those who come through the proxy. */
    public void showPage(Supplier<String> html, Supplier<String> json, ProxyGate gate) {
        server.createContext("/", exchange -> {
            try (exchange) {
                if (!gate.admits(exchange.getRemoteAddress().getAddress())) {
                    exchange.getResponseHeaders().set("Location", gate.address(exchange.getRequestURI()));
                    send(exchange, 302, "text/plain", "the page is reached through the ResourceManager\n");
                    return;
                }
                if (!gate.mayRead(exchange.getRequestHeaders().getOrDefault("Cookie", List.of()))) {
                    send(exchange, 403, "text/plain", "you may not view this application\n");
                    return;
                }
                switch (exchange.getRequestURI().getPath()) {
                    case "/" -> send(exchange, 200, "text/html; charset=utf-8", html.get());
                    case "/status.json" -> send(exchange, 200, "application/json", json.get());
                    default -> send(exchange, 404, "text/plain", "not found\n");
                }
            } catch (RuntimeException e) {
                LOG.error("{} failed", exchange.getRequestURI(), e);
                throw e;
            }
        });
    }

    /** Answers those who know the secret. */
    public void post(String path, Call call) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!allowed(exchange)) {
                    send(exchange, 403, "text/plain", "the job's secret is missing or wrong\n");
                } else if (!exchange.getRequestMethod().equals("POST")) {
                    send(exchange, 405, "text/plain", "POST only\n");
                } else {
                    answer(exchange, call);
                }
            } catch (RuntimeException e) {
                LOG.error("{} failed", path, e);
                throw e;
            }
        });
    }

    private static void answer(HttpExchange exchange, Call call) throws IOException {
        String body;
        try (InputStream in = exchange.getRequestBody()) {
            body = new String(in.readNBytes(MAX_BODY_BYTES), StandardCharsets.UTF_8);
        }
        try {
            send(exchange, 200, "application/json", call.answer(body));
        } catch (RunnerCalls.RefusedException e) {
            send(exchange, e.status(), "text/plain", e.getMessage() + "\n");
        } catch (WireFormatException e) {
            send(exchange, 400, "text/plain", e.getMessage() + "\n");
        }
    }

    private boolean allowed(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst(RunnerProtocol.SECRET_HEADER);
        return given != null && MessageDigest.isEqual(jobSecret, given.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        pool.shutdownNow();
    }
}
