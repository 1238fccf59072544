// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.HttpLimits;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers over HTTP. A query holds a thread while it comes and while its answer goes, not while it runs. */
public final class QueryIngress implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueryIngress.class);

    private static final String MODELS = "/v2/models/";
    private static final int BACKLOG = 1024;
    /** Slow clients hold one each, until the limits on time end them. */
    private static final int THREADS = 128;

    private static final int IDLE_SECONDS = 60;

    private final HttpServer server;
    private final ThreadPoolExecutor pool;
    private final ThreadPoolExecutor answers;
    private final String name;
    private final Callers callers;
    private final IngressLimits limits;
    private final QueryService service;
    private final Inference inference;

    private QueryIngress(HttpServer server, String name, Callers callers, IngressLimits limits, QueryService service) {
        this.server = server;
        this.name = name;
        this.callers = callers;
        this.limits = limits;
        this.service = service;
        pool = pool("queries");
        // Who reads slowly keeps nobody from asking.
        answers = pool("answers");
        inference = new Inference(limits, service, answers);
    }

    private static ThreadPoolExecutor pool(String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), run -> {
                    Thread thread = new Thread(run, name);
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * @param address port 0 for any that is free
     * @param name of the service
     * @throws IOException if the port cannot be had
     */
    public static QueryIngress start(
            InetSocketAddress address, String name, Callers callers, IngressLimits limits, QueryService service)
            throws IOException {
        HttpServer server = HttpLimits.newServer(address, BACKLOG);
        QueryIngress ingress = new QueryIngress(server, name, callers, limits, service);
        ingress.server.createContext("/", ingress::handle);
        ingress.server.setExecutor(ingress.pool);
        ingress.server.start();
        return ingress;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** How many queries are being answered. */
    public int active() {
        return inference.active();
    }

    private void handle(HttpExchange exchange) {
        String id = Headers.requestId(exchange);
        exchange.getResponseHeaders().set(Headers.REQUEST_ID, id);
        try {
            boolean isTaken = false;
            try {
                isTaken = route(exchange, exchange.getRequestURI().getPath(), id);
            } catch (Refusal e) {
                Answers.refuse(exchange, e);
            } finally {
                if (!isTaken) {
                    exchange.close();
                }
            }
        } catch (IOException e) {
            LOG.debug("{} is not answered", id, e);
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
        }
    }

    /** @return whether it is answered later */
    private boolean route(HttpExchange exchange, String path, String id) throws Refusal, IOException {
        if (path.equals("/v2/health/live")) {
            get(exchange);
            Answers.json(exchange, 200, Descriptions.health("live", true));
            return false;
        }
        if (path.equals("/v2/health/ready")) {
            get(exchange);
            ready(exchange);
            return false;
        }
        if (callers.of(exchange.getRequestHeaders().getFirst("Authorization")).isEmpty()) {
            throw new Refusal(401, "the header 'Authorization: Bearer SECRET' is missing, or its secret is wrong");
        }
        if (path.equals("/v2") || path.equals("/v2/")) {
            get(exchange);
            Answers.json(exchange, 200, Descriptions.server(name, service.others()));
        } else if (path.equals("/openapi.json")) {
            get(exchange);
            Answers.json(exchange, 200, OpenApi.of(name, service, limits));
        } else if (path.startsWith(MODELS)) {
            return workflow(exchange, List.of(path.substring(MODELS.length()).split("/", -1)), id);
        } else {
            throw unknown(path);
        }
        return false;
    }

    private boolean workflow(HttpExchange exchange, List<String> parts, String id) throws Refusal, IOException {
        WorkflowSpec workflow = find(parts.get(0));
        String what = String.join("/", parts.subList(1, parts.size()));
        switch (what) {
            case "" -> {
                get(exchange);
                Answers.json(exchange, 200, Descriptions.workflow(workflow, service.outputs(workflow)));
            }
            case "ready" -> {
                get(exchange);
                ready(exchange);
            }
            case "infer" -> {
                if (!exchange.getRequestMethod().equals("POST")) {
                    throw new Refusal(405, exchange.getRequestMethod() + " is not answered here, must be POST");
                }
                inference.take(exchange, workflow, id);
                return true;
            }
            default -> throw unknown(exchange.getRequestURI().getPath());
        }
        return false;
    }

    private void ready(HttpExchange exchange) throws IOException {
        boolean isReady = service.isReady();
        Answers.json(exchange, isReady ? 200 : 503, Descriptions.health("ready", isReady));
    }

    private WorkflowSpec find(String workflow) throws Refusal {
        List<WorkflowSpec> all = service.workflows();
        return all.stream()
                .filter(each -> each.name().equals(workflow))
                .findFirst()
                .orElseThrow(() -> new Refusal(
                        404,
                        "there is no workflow '" + workflow + "', but "
                                + all.stream().map(WorkflowSpec::name).toList()));
    }

    private static Refusal unknown(String path) {
        return new Refusal(
                404,
                "there is nothing at " + path + ", but /v2, " + MODELS + "WORKFLOW, its /infer, and /openapi.json");
    }

    private static void get(HttpExchange exchange) throws Refusal {
        if (!exchange.getRequestMethod().equals("GET")) {
            throw new Refusal(405, exchange.getRequestMethod() + " is not answered here, must be GET");
        }
    }

    @Override
    public void close() {
        server.stop(0);
        pool.shutdownNow();
        answers.shutdownNow();
    }
}
