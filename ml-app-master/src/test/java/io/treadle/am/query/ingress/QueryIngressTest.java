// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.am.spec.ServiceSpecParser;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real requests over HTTP to an ingress whose service answers when the test says so. */
@Timeout(300)
class QueryIngressTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "0123456789abcdef";
    private static final int MOST_QUERIES = 3;
    private static final int MOST_BYTES = 1000;

    private static final List<WorkflowSpec> WORKFLOWS = ServiceSpecParser.fromYaml(
                    "service.yaml",
                    """
                    models: {double: {file: double.onnx}}
                    workflows:
                      twice:
                        inputs: {x: "FP32[any, 2]"}
                        tasks: {one: {model: double, inputs: {x: x}}}
                        outputs: {y: one.y, z: one.z}
                    """)
            .workflows();

    private record Asked(Map<String, Tensor> inputs, double withinMs, CompletableFuture<Map<String, Tensor>> answer) {}

    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    private volatile boolean isReady = true;
    private final QueryIngress ingress;
    private final HttpClient client = HttpClient.newHttpClient();

    QueryIngressTest() throws IOException {
        ingress = QueryIngress.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "digits",
                new Callers(Map.of("ann", SECRET, "bob", "fedcba9876543210")),
                new IngressLimits(MOST_BYTES, MOST_QUERIES, 2 * MOST_BYTES, 5_000, 10_000),
                new QueryService() {
                    @Override
                    public List<WorkflowSpec> workflows() {
                        return WORKFLOWS;
                    }

                    @Override
                    public boolean isReady() {
                        return isReady;
                    }

                    @Override
                    public CompletableFuture<Map<String, Tensor>> ask(
                            WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs) {
                        Asked query = new Asked(inputs, withinMs, new CompletableFuture<>());
                        asked.add(query);
                        return query.answer();
                    }
                });
    }

    @AfterEach
    void close() {
        ingress.close();
    }

    private static String query(String more) {
        return "{\"inputs\": [{\"name\": \"x\", \"datatype\": \"FP32\", \"shape\": [1, 2], \"data\": [[1, 2.5]]}]"
                + more + "}";
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ingress.port() + path))
                .header("Authorization", "Bearer " + SECRET);
    }

    private HttpRequest.Builder infer(String body) {
        return to("/v2/models/twice/infer").POST(BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> sending(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private Asked next() throws InterruptedException {
        return Objects.requireNonNull(asked.poll(120, TimeUnit.SECONDS), "no query came");
    }

    private static String error(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body()).path("error").asText();
    }

    private static final Map<String, Tensor> ANSWER =
            Map.of("y", Floats.of(List.of(1L, 2L), 2, 5), "z", Floats.of(List.of(), 7));

    /** The JDK's server closes all above 200 that wait, as it is: whoever has just sent another request gets no answer. */
    @Test
    void connectionsOfManyClientsStay() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 400; i++) {
                clients.add(new Socket(InetAddress.getLoopbackAddress(), ingress.port()));
            }
            for (int round = 0; round < 2; round++) {
                for (Socket each : clients) {
                    each.getOutputStream()
                            .write("GET /v2/health/live HTTP/1.1\r\nHost: h\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    assertTrue(answered(each).startsWith("HTTP/1.1 200 "), "round " + round);
                }
            }
        } finally {
            for (Socket each : clients) {
                each.close();
            }
        }
    }

    /** An answer up to the end of its body. */
    private static String answered(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("}") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("no answer after '" + text + "'");
            }
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void answersAQueryWithWhatTheServiceSays() throws Exception {
        CompletableFuture<HttpResponse<String>> sent = sending(
                infer(query(", \"id\": \"mine\"")).header("X-Request-Id", "r-1").header("X-Deadline-Ms", "10000"));
        Asked query = next();
        assertEquals(
                List.of(1f, 2.5f),
                Floats.in(Objects.requireNonNull(query.inputs().get("x"))));
        assertTrue(query.withinMs() > 0 && query.withinMs() <= 10000, () -> "within " + query.withinMs());
        query.answer().complete(ANSWER);
        HttpResponse<String> response = sent.get();
        assertEquals(200, response.statusCode());
        assertEquals("r-1", response.headers().firstValue("X-Request-Id").orElseThrow());
        JsonNode json = JSON.readTree(response.body());
        assertEquals("twice", json.path("model_name").asText());
        assertEquals("mine", json.path("id").asText());
        assertEquals(2, json.path("outputs").size());
    }

    @Test
    void givesOnlyTheOutputsThatAreWanted() throws Exception {
        CompletableFuture<HttpResponse<String>> sent = sending(infer(query(", \"outputs\": [{\"name\": \"z\"}]")));
        next().answer().complete(ANSWER);
        JsonNode json = JSON.readTree(sent.get().body());
        assertEquals(
                JSON.readTree("[{\"name\": \"z\", \"shape\": [], \"datatype\": \"FP32\", \"data\": [7.0]}]"),
                json.path("outputs"));
        assertEquals(
                sent.get().headers().firstValue("X-Request-Id").orElseThrow(),
                json.path("id").asText());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v2/models/other/infer | {}                        | 404 | there is no workflow 'other', but [twice]",
                "/v2/models/twice/run   | {}                        | 404 | there is nothing at /v2/models/twice/run, but",
                "/v2/models/twice/infer | [                         | 400 | the body is no JSON: Unexpected end-of-input",
                "/v2/models/twice/infer | 7                         | 400 | the body must be a JSON object with 'inputs'",
                "/v2/models/twice/infer | {}                        | 400 | inputs: is missing, must be a list of tensors",
                "/v2/models/twice/infer | {'inputs': [{'name': 'x', 'datatype': 'FP31'}]} | 400 | inputs: 'x' has the datatype",
                "/v2/models/twice/infer | {'inputs': [], 'outputs': [{'name': 'w'}]} | 400 | outputs: 'twice' has no output 'w'",
                "/v2                    | {}                        | 405 | POST is not answered here, must be GET",
                "/else                  | {}                        | 404 | there is nothing at /else, but /v2",
            })
    void saysWhatIsWrong(String path, String body, int status, String message) throws Exception {
        for (int i = 0; i <= MOST_QUERIES; i++) {
            HttpResponse<String> response = send(to(path).POST(BodyPublishers.ofString(body.replace('\'', '"'))));
            assertEquals(status, response.statusCode(), response::body);
            assertTrue(error(response).startsWith(message), response::body);
        }
        assertEquals(0, ingress.active());
        assertTrue(asked.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "NaN", "10001", "soon"})
    void aDeadlineIsATimeThatCanBe(String given) throws Exception {
        HttpResponse<String> response = send(infer(query("")).header("X-Deadline-Ms", given));
        assertEquals(400, response.statusCode());
        assertEquals(
                "X-Deadline-Ms is '" + given + "', must be a number of ms above 0 and at most 10000", error(response));
    }

    @ParameterizedTest
    @CsvSource({"WRONG, 400", "FAILED, 500", "UNAVAILABLE, 503", "LATE, 504"})
    void aFailureHasTheStatusOfItsKind(QueryException.Kind kind, int status) throws Exception {
        CompletableFuture<HttpResponse<String>> sent = sending(infer(query("")));
        next().answer().completeExceptionally(new QueryException(kind, "because"));
        HttpResponse<String> response = sent.get();
        assertEquals(status, response.statusCode());
        assertEquals("because", error(response));
        assertEquals(
                kind == QueryException.Kind.UNAVAILABLE,
                response.headers().firstValue("Retry-After").isPresent());
    }

    @Test
    void aFaultOfTheServiceShowsNothingOfItself() throws Exception {
        CompletableFuture<HttpResponse<String>> sent = sending(infer(query("")).header("X-Request-Id", "r-2"));
        next().answer().completeExceptionally(new IllegalStateException("secret"));
        assertEquals(500, sent.get().statusCode());
        assertEquals("the service failed, see its log for r-2", error(sent.get()));
    }

    @Test
    void sendsAwayWhatIsTooMuchAndTakesMoreWhenSomeIsAnswered() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        List<Asked> queries = new ArrayList<>();
        for (int i = 0; i < MOST_QUERIES; i++) {
            sent.add(sending(infer(query(""))));
            queries.add(next());
        }
        HttpResponse<String> more = send(infer(query("")));
        assertEquals(429, more.statusCode());
        assertEquals("1", more.headers().firstValue("Retry-After").orElseThrow());
        queries.get(1).answer().complete(ANSWER);
        assertEquals(200, sent.get(1).get().statusCode());
        while (ingress.active() == MOST_QUERIES) {
            Thread.onSpinWait();
        }
        CompletableFuture<HttpResponse<String>> again = sending(infer(query("")));
        next().answer().complete(ANSWER);
        assertEquals(200, again.get().statusCode());
    }

    /** A body that does not say how long it is counts as the longest, of which two have room. */
    @Test
    void bodiesHaveRoomTogether() throws Exception {
        byte[] body = query("").getBytes(StandardCharsets.UTF_8);
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        List<Asked> queries = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sent.add(sending(infer("").POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))));
            queries.add(next());
        }
        assertEquals(429, send(infer(query(""))).statusCode());
        queries.forEach(each -> each.answer().complete(ANSWER));
        for (CompletableFuture<HttpResponse<String>> each : sent) {
            assertEquals(200, each.get().statusCode());
        }
    }

    @Test
    void aQueryThatIsTooLargeIsSentAwayWhetherItSaysSoOrNot() throws Exception {
        String large = query(", \"id\": \"" + "i".repeat(MOST_BYTES) + "\"");
        HttpResponse<String> said = send(infer(large));
        assertEquals(413, said.statusCode());
        assertEquals(
                "the query has " + large.length() + " bytes, must have " + MOST_BYTES + " bytes at most", error(said));
        HttpResponse<String> unsaid = send(infer("")
                .POST(BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(large.getBytes(StandardCharsets.UTF_8)))));
        assertEquals(413, unsaid.statusCode());
        assertEquals(0, ingress.active());
    }

    @Test
    void onlyWhoHasASecretIsAnswered() throws Exception {
        for (String header : List.of("Bearer 0123456789abcdeX", "Basic " + SECRET, "Bearer", SECRET)) {
            HttpResponse<String> response = send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ingress.port() + "/v2/models/twice/infer"))
                            .header("Authorization", header)
                            .POST(BodyPublishers.ofString(query(""))));
            assertEquals(401, response.statusCode(), header);
            assertEquals(
                    "Bearer", response.headers().firstValue("WWW-Authenticate").orElseThrow());
        }
        assertTrue(asked.isEmpty());
        HttpRequest.Builder bob = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ingress.port() + "/v2"))
                .header("Authorization", "bearer fedcba9876543210");
        assertEquals(200, send(bob).statusCode());
    }

    @Test
    void healthNeedsNoSecret() throws Exception {
        HttpRequest.Builder ready =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ingress.port() + "/v2/health/ready"));
        assertEquals(200, send(ready).statusCode());
        isReady = false;
        assertEquals(503, send(ready).statusCode());
        assertEquals(
                200,
                send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ingress.port() + "/v2/health/live")))
                        .statusCode());
    }

    /** It would hold a thread, not the service. */
    @Test
    void whoSendsHalfAQueryHoldsUpNobodyAndItsRoomIsFreeOnceItIsGone() throws Exception {
        try (Socket half = new Socket(InetAddress.getLoopbackAddress(), ingress.port())) {
            half.getOutputStream()
                    .write(("POST /v2/models/twice/infer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + SECRET
                                    + "\r\nContent-Length: 900\r\n\r\n{\"inputs\"")
                            .getBytes(StandardCharsets.UTF_8));
            while (ingress.active() == 0) {
                Thread.onSpinWait();
            }
            CompletableFuture<HttpResponse<String>> other = sending(infer(query("")));
            next().answer().complete(ANSWER);
            assertEquals(200, other.get().statusCode());
        }
        while (ingress.active() > 0) {
            Thread.onSpinWait();
        }
    }

    /** Its answer fills all buffers on the way and waits there. */
    @Test
    void whoDoesNotReadItsAnswerHoldsUpNobody() throws Exception {
        try (Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ingress.port()));
            String body = query("");
            slow.getOutputStream()
                    .write(("POST /v2/models/twice/infer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + SECRET
                                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.UTF_8));
            next().answer()
                    .complete(Map.of(
                            "y", Floats.of(List.of(4_000_000L), new float[4_000_000]), "z", Floats.of(List.of(), 7)));
            for (int i = 0; i < 2 * MOST_QUERIES; i++) {
                CompletableFuture<HttpResponse<String>> other = sending(infer(query("")));
                next().answer().complete(ANSWER);
                assertEquals(200, other.get().statusCode());
            }
            assertTrue(ingress.active() >= 1, "its answer is on its way still");
        }
    }

    @Test
    void saysWhatItIs() throws Exception {
        assertEquals(
                "digits", JSON.readTree(send(to("/v2")).body()).path("name").asText());
        assertEquals(
                JSON.readTree(
                        "{\"name\": \"twice\", \"platform\": \"treadle_workflow\", \"inputs\": [{\"name\": \"x\", \"datatype\": \"FP32\","
                                + " \"shape\": [-1, 2]}], \"outputs\": [{\"name\": \"y\"}, {\"name\": \"z\"}]}"),
                JSON.readTree(send(to("/v2/models/twice")).body()));
    }

    @Test
    void theOpenApiDocumentIsWholeInItself() throws Exception {
        JsonNode json = JSON.readTree(send(to("/openapi.json")).body());
        assertEquals("3.1.0", json.path("openapi").asText());
        JsonNode infer = json.path("paths").path("/v2/models/twice/infer").path("post");
        assertEquals("twice", infer.path("operationId").asText());
        for (int status : new int[] {200, 400, 401, 404, 413, 429, 500, 503, 504}) {
            assertFalse(infer.path("responses").path(Integer.toString(status)).isMissingNode(), "status " + status);
        }
        for (JsonNode ref : json.findValues("$ref")) {
            assertFalse(json.at(ref.asText().substring(1)).isMissingNode(), ref.asText());
        }
    }
}
