// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.HttpLimits;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a service of the test's own, which finds an image among those that it knows. */
class QueryLoadTest {
    private static final String SECRET = "a-secret-of-16-characters";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Digits images = DrawnDigits.of(20, 1);
    private final WorkflowMix digit = new WorkflowMix("recognise", 1, "digit", 10, false);
    private final WorkflowMix parity = new WorkflowMix("parity", 1, "odd", 2, false);
    private final WorkflowMix noisy = new WorkflowMix("check", 1, "digit", 10, true);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final URI service;

    QueryLoadTest() throws IOException {
        server = HttpLimits.newServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service = URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + server.getAddress().getPort());
    }

    @BeforeEach
    void start() {
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(String workflow, String output, int modulus) {
        server.createContext("/v2/models/" + workflow + "/infer", exchange -> {
            JsonNode query = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
            boolean isKnown =
                    ("Bearer " + SECRET).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String asked = query.path("outputs").path(0).path("name").asText();
            if (!isKnown || !asked.equals(output)) {
                reply(exchange, 400, "{\"error\": \"asked " + asked + "\"}");
                return;
            }
            reply(
                    exchange,
                    200,
                    "{\"outputs\":[{\"name\":\"%s\",\"shape\":[1],\"datatype\":\"INT64\",\"data\":[%d]}]}"
                            .formatted(output, label(query) % modulus));
        });
    }

    private int label(JsonNode query) {
        Tensor image = tensor(query);
        float[] pixels = new float[Digits.PIXELS];
        image.data().asFloatBuffer().get(pixels);
        for (int i = 0; i < images.count(); i++) {
            if (Arrays.equals(images.image(i), pixels)) {
                return images.label(i);
            }
        }
        return 99;
    }

    private static Tensor tensor(JsonNode query) {
        try {
            Map<String, Tensor> inputs = TensorJson.read(query.path("inputs"));
            Tensor image = Objects.requireNonNull(inputs.get("image"));
            assertEquals(List.of(1L, (long) Digits.PIXELS), image.shape());
            return image;
        } catch (TensorException e) {
            throw new AssertionError(e);
        }
    }

    private static void reply(HttpExchange exchange, int status, String body) {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Arrival at(double ms, WorkflowMix workflow, int image) {
        return new Arrival(ms, workflow, image, image);
    }

    @Test
    void answersAreHeldAgainstLabels() throws Exception {
        answer("recognise", "digit", 10);
        // A service that gets every odd number wrong.
        answer("parity", "odd", 1);
        List<LoadProgress> told = new ArrayList<>();
        List<Arrival> arrivals =
                List.of(at(0, digit, 3), at(1, parity, 4), at(2, parity, 5), at(3, digit, 19), at(40, noisy, 3));
        List<Answered> answers = QueryLoad.run(service, SECRET, arrivals, images, told::add);

        assertEquals(
                List.of(true, true, false, true, false),
                answers.stream().map(Answered::correct).toList());
        assertEquals(
                List.of(200, 200, 200, 200, 404),
                answers.stream().map(Answered::status).toList());
        assertEquals(
                List.of(0.0, 1.0, 2.0, 3.0, 40.0),
                answers.stream().map(Answered::arrivalMs).toList());
        assertTrue(answers.stream().allMatch(answer -> answer.latencyMs() > 0));
        LoadProgress last = told.get(told.size() - 1);
        assertEquals(List.of(5, 5, 1, 5), List.of(last.sent(), last.answered(), last.failed(), last.total()));
        assertTrue(last.inWords().endsWith("5 of 5 queries sent, 0 under way, 1 failed"), last.inWords());
    }

    @Test
    void anotherSecretAndNoServiceAreFailures() throws Exception {
        answer("recognise", "digit", 10);
        List<Arrival> arrivals = List.of(at(0, digit, 3));
        assertEquals(
                400,
                QueryLoad.run(service, "another", arrivals, images, progress -> {})
                        .get(0)
                        .status());
        server.stop(0);
        Answered none =
                QueryLoad.run(service, SECRET, arrivals, images, progress -> {}).get(0);
        assertEquals(0, none.status());
        assertFalse(none.succeeded());
    }

    @Test
    void aLostConnectionIsNoFailureUnlessItIsLostAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        server.createContext("/v2/models/recognise/infer", exchange -> {
            if (asked.incrementAndGet() != 2) {
                throw new IOException("closes the connection");
            }
            exchange.getRequestBody().readAllBytes();
            reply(exchange, 200, "{\"outputs\":[{\"name\":\"digit\",\"data\":[3]}]}");
        });
        List<Arrival> arrivals = List.of(at(0, digit, 3));
        assertTrue(QueryLoad.run(service, SECRET, arrivals, images, progress -> {})
                .get(0)
                .correct());
        assertEquals(
                0,
                QueryLoad.run(service, SECRET, arrivals, images, progress -> {})
                        .get(0)
                        .status());
        assertEquals(4, asked.get());
    }

    /** A closed loop would wait for the first answer, which waits for the last query. */
    @Test
    void queriesComeWhateverTheAnswersDo() throws Exception {
        CountDownLatch all = new CountDownLatch(8);
        server.createContext("/v2/models/recognise/infer", exchange -> {
            exchange.getRequestBody().readAllBytes();
            all.countDown();
            try {
                all.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            reply(exchange, 200, "{\"outputs\":[{\"name\":\"digit\",\"data\":[\"none\"]}]}");
        });
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            arrivals.add(at(i, digit, i));
        }
        List<Answered> answers = QueryLoad.run(service, SECRET, arrivals, images, progress -> {});
        assertEquals(8, answers.stream().filter(Answered::succeeded).count());
        assertEquals(0, answers.stream().filter(Answered::correct).count());
    }
}
