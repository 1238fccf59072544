// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.Traces;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A server that answers as a ResourceManager does, and ones that do not. */
class ResourceManagerTest {
    private record Answer(int status, String body, String location) {}

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Answer answer = answers.getOrDefault(exchange.getRequestURI().getPath(), new Answer(404, "<html>", ""));
        if (!answer.location().isEmpty()) {
            exchange.getResponseHeaders().add("Location", answer.location());
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void answers(String path, int status, String body) {
        answers.put(path, new Answer(status, body, ""));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ResourceManagerTest.class.getResourceAsStream("/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String message(Executable executable) {
        return String.valueOf(assertThrows(InputException.class, executable).getMessage());
    }

    @Test
    void nodesAndApplicationsOfARunningOne() throws IOException {
        String[] lines = resource("clusters/yarn.json").split("\n", -1);
        answers("/ws/v1/cluster/nodes", 200, lines[0]);
        answers("/ws/v1/cluster/scheduler", 200, lines[1]);
        answers("/ws/v1/cluster/apps", 200, resource("traces/yarn.json"));
        ResourceManager manager = ResourceManager.at(address());
        SimCluster cluster = ClusterReader.read(manager.nodes().toString());
        assertEquals(6, cluster.capacity().gpus());
        assertEquals("localhost-" + server.getAddress().getPort(), cluster.name());
        assertEquals("fast", cluster.partitionOf("root.ml").orElseThrow().name());
        assertEquals(2, Traces.read("auto", manager.applications(), cluster).size());
    }

    @Test
    void theActiveOneBehindAStandby() throws IOException {
        answers.put("/ws/v1/cluster/apps", new Answer(307, "", address() + "/active"));
        answers("/active", 200, resource("traces/yarn.json"));
        ResourceManager manager = ResourceManager.at(address());
        assertTrue(manager.applications().toFile().length() > 0);
    }

    @Test
    void anAddressWithAPathIsTakenAsItIs() throws IOException {
        answers("/gateway/rm/nodes", 200, resource("clusters/yarn.json"));
        ResourceManager manager = ResourceManager.at(address() + "/gateway/rm/nodes");
        assertEquals(3, ClusterReader.read(manager.nodes().toString()).nodes());
    }

    @Test
    void saysWhyThereIsNoAnswer() throws IOException {
        ResourceManager manager = ResourceManager.at(address());
        assertTrue(message(manager::nodes).contains("/ws/v1/cluster/nodes?states=RUNNING answers 404, must be 200"));
        answers("/ws/v1/cluster/nodes", 401, "");
        assertTrue(message(manager::nodes).contains("curl --negotiate -u : '" + address()));
        answers("/ws/v1/cluster/nodes", 200, "<html>\nlogin");
        assertTrue(message(manager::nodes).contains("answers '<html>', must be JSON"));
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        assertTrue(message(ResourceManager.at("http://localhost:" + closed)::nodes)
                .endsWith("/ws/v1/cluster/nodes?states=RUNNING: there is no such host, or nothing listens there."));
        assertEquals(
                "'http://' is no address, must be one of a ResourceManager such as http://rm:8088.",
                message(() -> ResourceManager.at("http://")));
    }
}
