// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.query.ingress.Callers;
import io.treadle.am.query.ingress.IngressLimits;
import io.treadle.am.query.ingress.QueryIngress;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Connection;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.worker.ForwardedModel;
import io.treadle.am.query.worker.LoadedModel;
import io.treadle.am.query.worker.ModelException;
import io.treadle.am.query.worker.ModelRuntime;
import io.treadle.am.query.worker.PeerHost;
import io.treadle.am.query.worker.WorkerServer;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service from its first worker on, asked over HTTP: real models, whose pace the test sets. */
@Timeout(300)
class ServiceDeskTest {
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final String USER = "0123456789abcdef";
    private static final ServiceSpec SPEC = ServiceSpecParser.fromYaml(
            "tiny.yaml",
            """
            workers: {memory: 512Mi}
            models:
              double: {file: double.onnx, memory: 1Mi}
              less: {file: less.onnx, memory: 1Mi}
            workflows:
              two-steps:
                inputs: {x: "FP32[any, 1]", y: "FP32[any, 1]"}
                tasks:
                  one: {model: double, inputs: {x: x}}
                  rest: {model: less, inputs: {a: one.y, b: y}}
                outputs: {result: rest.c}
            """);

    /** Models of which one can be slow. */
    private static final class Paced implements ModelRuntime {
        private final ModelRuntime runtime = new OnnxRuntime(1);
        private final Path directory;
        private volatile String slow = "";
        private volatile long nanos;

        Paced(Path directory) {
            this.directory = directory;
        }

        void slow(String model, long ms) {
            nanos = ms * 1_000_000;
            slow = model;
        }

        @Override
        public LoadedModel load(String name, Path file) throws ModelException {
            LoadedModel model = runtime.load(name, directory.resolve(file));
            return new ForwardedModel(model) {
                @Override
                public Map<String, Tensor> run(Map<String, Tensor> inputs) throws ModelException {
                    long began = System.nanoTime();
                    while (slow.equals(name) && System.nanoTime() - began < nanos) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    return super.run(inputs);
                }
            };
        }
    }

    private final FrameCodec codec = new FrameCodec(1 << 20);
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Paced models;
    private final ServiceDesk desk = ServiceDesk.ofMaster(SPEC, "secret", 1, List.of());
    private final WorkerServer worker;
    private final QueryIngress ingress;

    ServiceDeskTest(@TempDir Path directory) throws IOException {
        OnnxFile.linear(directory.resolve("model-double.onnx"), new float[] {2}, 1, 1);
        new OnnxFile()
                .input("a", -1, 1)
                .input("b", -1, 1)
                .node("Sub", List.of("a", "b"), "c")
                .output("c", -1, 1)
                .write(directory.resolve("model-less.onnx"));
        models = new Paced(directory);
        worker = worker();
        ingress = QueryIngress.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "tiny",
                new Callers(Map.of("ann", USER)),
                IngressLimits.DEFAULT,
                desk);
    }

    private WorkerServer worker() throws IOException {
        return new WorkerServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                        "secret",
                        codec,
                        models,
                        PeerHost.NONE)
                .start();
    }

    @AfterEach
    void close() throws Exception {
        models.slow("", 0);
        ingress.close();
        desk.close();
        worker.close();
    }

    private HttpResponse<String> send(String path, HttpRequest.Builder request) throws Exception {
        return http.send(
                request.uri(URI.create("http://" + HOST + ":" + ingress.port() + path))
                        .header("Authorization", "Bearer " + USER)
                        .build(),
                BodyHandlers.ofString());
    }

    /** @return the answer to 2x + 1 - y with x = 3 and y = 1 */
    private HttpResponse<String> ask(long deadlineMs) throws Exception {
        return send(
                "/v2/models/two-steps/infer",
                HttpRequest.newBuilder()
                        .header("X-Deadline-Ms", Long.toString(deadlineMs))
                        .POST(BodyPublishers.ofString(
                                "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[3]},"
                                        + "{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[1]}]}")));
    }

    private void assertAnswered() throws Exception {
        HttpResponse<String> answer = ask(30_000);
        assertEquals(200, answer.statusCode(), answer::body);
        assertTrue(answer.body().contains("\"data\":[6.0]"), answer::body);
    }

    private DeskFigures.WorkflowFigures figures() {
        return desk.figures().workflows().get(0);
    }

    @Test
    void whatIsLateIsRefusedCountedAndForgottenByItsWorker() throws Exception {
        desk.connect(HOST, worker.port());
        assertAnswered();
        models.slow("double", 60_000);
        HttpResponse<String> late;
        do {
            late = ask(50);
            assertEquals(504, late.statusCode(), late::body);
            // On a machine that is busy it may be late before it is there.
        } while (late.body().contains("it took longer to come"));
        assertTrue(late.body().contains("was not answered within "), late::body);
        assertEquals(1, figures().late());
        assertEquals(0, desk.figures().active());
        try (Connection spy = Connection.open(
                HOST, worker.port(), codec, new Message.Hello(Message.VERSION, "secret", "spy"), 30_000)) {
            // What has begun goes on, but it is nobody's any more.
            while (state(spy).queries() > 0) {
                assertEquals(0, figures().failed());
            }
            models.slow("", 0);
            while (state(spy).queued() > 0) {
                assertEquals(0, figures().failed());
            }
        }
        assertAnswered();
        assertEquals(2, figures().answered());
        assertEquals(1, figures().late());
    }

    private static Message.State state(Connection spy) throws IOException {
        while (true) {
            if (spy.read().message() instanceof Message.State state) {
                return state;
            }
        }
    }

    /** Else it would get nothing as long as the first one's queue is shorter than a load. */
    @Test
    void aWorkerThatComesLaterHasTheModelsThatAreUsedBeforeItIsGivenAnything() throws Exception {
        desk.connect(HOST, worker.port());
        try (WorkerServer early = worker();
                WorkerServer late = worker()) {
            desk.connect(HOST, early.port());
            assertAnswered();
            // Nothing had been asked for when it came.
            assertEquals(Set.of(), models(early));
            desk.connect(HOST, late.port());
            assertEquals(Set.of(0, 1), models(late));
            assertAnswered();
        }
    }

    private Set<Integer> models(WorkerServer of) throws IOException {
        try (Connection spy =
                Connection.open(HOST, of.port(), codec, new Message.Hello(Message.VERSION, "secret", "spy"), 30_000)) {
            return Set.copyOf(state(spy).models());
        }
    }

    @Test
    void whatOutputsAreLikeIsToldOnceModelsAreMeasured() throws Exception {
        String path = "/v2/models/two-steps";
        String untyped = send(path, HttpRequest.newBuilder()).body();
        assertTrue(untyped.contains("\"outputs\":[{\"name\":\"result\"}]"), untyped);
        desk.connect(HOST, worker.port());
        String typed = send(path, HttpRequest.newBuilder()).body();
        assertTrue(typed.contains("\"outputs\":[{\"name\":\"result\",\"datatype\":\"FP32\",\"shape\":[-1,1]}]"), typed);
        JsonNode output = new ObjectMapper()
                .readTree(send("/openapi.json", HttpRequest.newBuilder()).body())
                .at("/paths/~1v2~1models~1two-steps~1infer/post/responses/200/content/application~1json/schema")
                .at("/properties/outputs/items/oneOf/0/properties");
        assertEquals("result", output.at("/name/const").asText());
        assertEquals("FP32", output.at("/datatype/const").asText());
        assertEquals(1, output.at("/shape/prefixItems/1/const").asInt());
    }

    @Test
    void whatTasksTakeIsKnownBeforeTheFirstQueryAndGoesWithTheTimesThatTheyTake() throws Exception {
        desk.connect(HOST, worker.port());
        assertTrue(desk.isReady());
        assertEquals(0, figures().answered());
        assertTrue(figures().tasks().stream().allMatch(DeskFigures.TaskFigures::isMeasured));
        models.slow("less", 50);
        for (int i = 0; i < 8; i++) {
            assertAnswered();
        }
        List<DeskFigures.TaskFigures> tasks = figures().tasks();
        // Each time counts for a fifth: after eight of at least 50 ms it is at least five sixths of that.
        assertTrue(tasks.get(1).runMs() > 41, tasks::toString);
        assertEquals(3 + 8, tasks.get(1).runs());
    }
}
