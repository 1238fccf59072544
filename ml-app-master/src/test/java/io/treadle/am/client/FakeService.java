// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.HttpLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A service of one workflow over real HTTP, whose answers to queries the test says beforehand. */
final class FakeService implements AutoCloseable {
    static final String SECRET = "0123456789abcdef";
    static final String MODEL =
            """
            {"name": "twice", "platform": "treadle_workflow",
             "inputs": [{"name": "x", "datatype": "FP32", "shape": [-1, 2]}, {"name": "n", "datatype": "INT64", "shape": []}],
             "outputs": [{"name": "y"}, {"name": "mask"}]}
            """;
    static final String OPEN_API =
            """
            {"openapi": "3.1.0", "paths": {"/v2": {"get": {}}, "/v2/models/twice": {"get": {}}, "/v2/models/twice/infer": {"post":
             {"requestBody": {"content": {"application/json": {"schema": {"properties": {
               "inputs": {"prefixItems": [{"$ref": "#/components/schemas/Tensor", "properties": {"name": {"const": "x"},
                 "datatype": {"const": "FP32"}, "shape": {"prefixItems": [{"type": "integer", "minimum": 0}, {"const": 2}]}}}]},
               "outputs": {"items": {"properties": {"name": {"enum": ["y", "mask"]}}}}}}}}}}},
             "/v2/models/none/infer": {"post": {}}}}
            """;
    static final String ANSWER =
            """
            {"model_name":"twice","id":"1","outputs":[{"name":"y","shape":[2,2],"datatype":"FP32","data":[2.5,4,6,null]},
             {"name":"mask","shape":[],"datatype":"BOOL","data":[true]}]}
            """;

    record Answer(int status, Map<String, String> headers, String body) {
        static Answer of(int status, String body) {
            return new Answer(status, Map.of(), body);
        }

        static Answer later(int status, String after) {
            return new Answer(status, Map.of("Retry-After", after), "{\"error\": \"no worker is there\"}");
        }
    }

    record Asked(String path, String deadline, String body) {}

    final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    /** Other addresses where the same is answered. */
    final List<String> others = new CopyOnWriteArrayList<>();

    final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    FakeService() {
        this(0);
    }

    FakeService(int port) {
        try {
            server = HttpLimits.newServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    Endpoint endpoint() {
        return new Endpoint(url(), SECRET);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(new Asked(path, String.valueOf(exchange.getRequestHeaders().getFirst("X-Deadline-Ms")), body));
        Answer answer = answer(exchange, path);
        try (exchange) {
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Answer answer(HttpExchange exchange, String path) {
        if (!("Bearer " + SECRET).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            return Answer.of(401, "{\"error\": \"the secret is wrong\"}");
        }
        return switch (path) {
            case "/v2" -> Answer.of(200, "{\"ingresses\": [" + quoted() + "]}");
            case "/openapi.json" -> next(OPEN_API);
            case "/v2/models/twice" -> Answer.of(200, MODEL);
            case "/v2/models/twice/infer" -> next(ANSWER);
            default -> Answer.of(404, "{\"error\": \"there is nothing at " + path + "\"}");
        };
    }

    private String quoted() {
        return others.stream().map(each -> '"' + each + '"').collect(Collectors.joining(","));
    }

    private Answer next(String usual) {
        Answer next = answers.poll();
        return next == null ? Answer.of(200, usual) : next;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
