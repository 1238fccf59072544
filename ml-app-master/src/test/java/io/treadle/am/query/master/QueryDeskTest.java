// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.ingress.QueryException;
import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.query.wire.Connection;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.ModelFile;
import io.treadle.am.query.wire.Message.Setup;
import io.treadle.am.query.worker.CrowdedCard;
import io.treadle.am.query.worker.ModelRuntime;
import io.treadle.am.query.worker.PeerHost;
import io.treadle.am.query.worker.WorkerServer;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import io.treadle.core.query.Adjustment;
import io.treadle.core.query.Costs;
import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.LinearDelays;
import io.treadle.core.query.Model;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master with real workers that run real models, over TCP. */
@Timeout(300)
class QueryDeskTest {
    private static final long SEED = 20261124;
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final DelayModel DELAYS = new LinearDelays(1e6, 1e6, 0.1);

    /** Two branches that come together: 2x + 1 and 3x, then their sum, then that less the query's own y. */
    private static final ServiceSpec SPEC = ServiceSpecParser.fromYaml(
            "service.yaml",
            """
            models:
              double: {file: double.onnx}
              triple: {file: triple.onnx}
              sum: {file: sum.onnx}
              less: {file: less.onnx}
            workflows:
              diamond:
                inputs: {x: "FP32[any, 1]", y: "FP32[any, 1]"}
                tasks:
                  rest: {model: less, inputs: {a: both.c, b: y}}
                  both: {model: sum, inputs: {a: one.y, b: two.y}}
                  one: {model: double, inputs: {x: x}}
                  two: {model: triple, inputs: {x: x}}
                outputs: {result: rest.c, sum: both.c}
              alone:
                inputs: {x: "FP32[any, 1]"}
                tasks: {one: {model: double, inputs: {x: x}}}
                outputs: {y: one.y}
            """);

    private final Map<String, Model> models = new LinkedHashMap<>();
    private final Setup setup;
    private final FrameCodec codec = new FrameCodec(1 << 20);
    private final WorkerLinks links = new WorkerLinks(codec, "secret", Message.MASTER);
    private final List<WorkerServer> workers = new ArrayList<>();

    /** A worker's memory holds two of the four models. */
    QueryDeskTest(@TempDir Path directory) throws IOException {
        OnnxFile.linear(directory.resolve("double.onnx"), new float[] {2}, 1, 1);
        OnnxFile.linear(directory.resolve("triple.onnx"), new float[] {3}, 1, 0);
        for (String operator : List.of("Add", "Sub")) {
            new OnnxFile()
                    .input("a", -1, 1)
                    .input("b", -1, 1)
                    .node(operator, List.of("a", "b"), "c")
                    .output("c", -1, 1)
                    .write(directory.resolve(operator.equals("Add") ? "sum.onnx" : "less.onnx"));
        }
        List<ModelFile> files = new ArrayList<>();
        SPEC.models().forEach(model -> {
            models.put(model.name(), new Model(models.size(), model.name(), 40));
            files.add(new ModelFile(
                    files.size(),
                    model.name(),
                    40,
                    directory.resolve(model.file()).toString()));
        });
        setup = new Setup(100, "look-ahead", "least-left", files);
    }

    private QueryDesk desk(String policy) {
        return new QueryDesk(
                Dispatchers.of(policy, Costs.of(DELAYS), new Adjustment(Adjustment.Rule.GAIN, 1.5)),
                links,
                () -> System.nanoTime() / 1e6);
    }

    private Workflow workflow(int place) {
        return new Workflow(SPEC.workflows().get(place), models, DELAYS);
    }

    private WorkerServer join(QueryDesk desk) throws IOException {
        join(desk, new OnnxRuntime(1));
        return workers.get(workers.size() - 1);
    }

    private ConnectedWorker join(QueryDesk desk, ModelRuntime runtime) throws IOException {
        WorkerServer worker = new WorkerServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                        "secret",
                        codec,
                        runtime,
                        PeerHost.NONE)
                .start();
        workers.add(worker);
        return links.connect(desk, HOST, worker.port(), setup);
    }

    @AfterEach
    void close() throws Exception {
        links.close();
        for (WorkerServer worker : workers) {
            worker.close();
        }
    }

    private static Map<String, Tensor> inputs(float x, float y) {
        return Map.of("x", Floats.of(List.of(1L, 1L), x), "y", Floats.of(List.of(1L, 1L), y));
    }

    private static List<Float> values(Map<String, Tensor> answer, String name) {
        return Floats.in(Objects.requireNonNull(answer.get(name)));
    }

    private static QueryException failure(CompletableFuture<?> answer) {
        ExecutionException e = assertThrows(ExecutionException.class, () -> answer.get(60, TimeUnit.SECONDS));
        return (QueryException) Objects.requireNonNull(e.getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void everyQueryIsAnsweredRight(String policy) throws Exception {
        QueryDesk desk = desk(policy);
        Workflow diamond = workflow(0);
        for (int i = 0; i < 3; i++) {
            join(desk);
        }
        Random random = new Random(SEED);
        Map<CompletableFuture<Map<String, Tensor>>, float[]> asked = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            float x = random.nextInt(100);
            float y = random.nextInt(100);
            asked.put(
                    desk.submit("master/" + i, diamond, inputs(x, y), Double.POSITIVE_INFINITY),
                    new float[] {5 * x + 1 - y, 5 * x + 1});
        }
        for (Map.Entry<CompletableFuture<Map<String, Tensor>>, float[]> each : asked.entrySet()) {
            Map<String, Tensor> answer = each.getKey().get(60, TimeUnit.SECONDS);
            assertEquals(List.of(each.getValue()[0]), values(answer, "result"), () -> "seed " + SEED);
            assertEquals(List.of(each.getValue()[1]), values(answer, "sum"), () -> "seed " + SEED);
        }
        assertEquals(0, desk.active());
    }

    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void whatALostWorkerHadRunsElsewhereAndIsAnsweredOnce(String policy) throws Exception {
        QueryDesk desk = desk(policy);
        Workflow diamond = workflow(0);
        for (int i = 0; i < 3; i++) {
            join(desk);
        }
        List<CompletableFuture<Map<String, Tensor>>> asked = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            asked.add(desk.submit("master/" + i, diamond, inputs(i, 1), Double.POSITIVE_INFINITY));
        }
        asked.get(8).get(60, TimeUnit.SECONDS);
        workers.get(1).close();
        asked.get(25).get(60, TimeUnit.SECONDS);
        join(desk);
        workers.get(0).close();
        // Some have lost two workers and wait.
        while (desk.active() > 0) {
            desk.tick();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        for (int i = 0; i < asked.size(); i++) {
            assertEquals(List.of(5f * i), values(asked.get(i).get(60, TimeUnit.SECONDS), "result"));
        }
    }

    /** Before that it may still drop what others send it for its new master. */
    @Test
    void aWorkerIsAskedForNothingBeforeItSaysThatItIsSetUp() throws Exception {
        QueryDesk desk = desk("compass");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<ConnectedWorker> joined = CompletableFuture.supplyAsync(() -> {
                try {
                    return links.connect(desk, HOST, server.getLocalPort(), setup);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (Connection worker = new Connection(server.accept(), codec)) {
                assertEquals(Message.MASTER, ((Message.Hello) worker.read().message()).desk());
                assertEquals(setup, worker.read().message());
                worker.send(Frame.of(new Message.State(0, List.of(), 100, 0, 0, 0, Message.Done.NOTHING)));
                assertFalse(desk.isReady());
                worker.send(Frame.of(new Message.Ready()));
                assertTrue(joined.get(60, TimeUnit.SECONDS).isConnected());
                assertTrue(desk.isReady());
            }
        }
    }

    /** As one on a host that is gone, or that is stopped: TCP would notice after a quarter of an hour. */
    @Test
    void aWorkerThatSaysNothingIsLost() throws Exception {
        QueryDesk desk = desk("compass");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                WorkerLinks impatient = new WorkerLinks(codec, "secret", Message.MASTER, 200)) {
            CompletableFuture<ConnectedWorker> joined = CompletableFuture.supplyAsync(() -> {
                try {
                    return impatient.connect(desk, HOST, server.getLocalPort(), setup);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (Connection silent = new Connection(server.accept(), codec)) {
                silent.send(Frame.of(new Message.Ready()));
                ConnectedWorker worker = joined.get(60, TimeUnit.SECONDS);
                while (worker.isConnected()) {
                    Thread.sleep(10);
                }
                assertFalse(desk.isReady());
            }
        }
    }

    @Test
    void saysWhatIsWrongWithAQuery() throws Exception {
        QueryDesk desk = desk("compass");
        Workflow alone = workflow(1);
        QueryException nobody =
                failure(desk.submit("master/0", alone, Map.of("x", Floats.of(List.of(1L, 1L), 1)), 1e18));
        assertEquals(QueryException.Kind.UNAVAILABLE, nobody.kind());
        join(desk);
        assertEquals(
                "lacks its input 'x'",
                failure(desk.submit("master/1", alone, Map.of(), 1e18)).getMessage());
        assertEquals(
                "'x' has the shape [1, 2], must be [any, 1]",
                failure(desk.submit("master/2", alone, Map.of("x", Floats.of(List.of(1L, 2L), 1, 2)), 1e18))
                        .getMessage());
        assertEquals(
                "'x' is INT32, must be FP32",
                failure(desk.submit(
                                "master/3",
                                alone,
                                Map.of("x", new Tensor(TensorType.INT32, List.of(1L, 1L), ByteBuffer.allocate(4))),
                                1e18))
                        .getMessage());
        QueryException more = failure(desk.submit("master/4", alone, inputs(1, 2), 1e18));
        assertEquals("has an input 'y', must have [x] alone", more.getMessage());
        assertEquals(QueryException.Kind.WRONG, more.kind());
        assertEquals(0, desk.active());
    }

    @Test
    void whatIsLateOrFailsIsGivenUpAndNothingOfItIsKept() throws Exception {
        QueryDesk desk = desk("compass");
        Workflow diamond = workflow(0);
        join(desk);
        CompletableFuture<Map<String, Tensor>> late =
                desk.submit("master/0", diamond, inputs(1, 1), Double.NEGATIVE_INFINITY);
        desk.tick();
        assertEquals(QueryException.Kind.LATE, failure(late).kind());
        // Three rows less two: no model can do that.
        CompletableFuture<Map<String, Tensor>> failed = desk.submit(
                "master/1",
                diamond,
                Map.of("x", Floats.of(List.of(3L, 1L), 1, 2, 3), "y", Floats.of(List.of(2L, 1L), 1, 2)),
                1e18);
        QueryException why = failure(failed);
        assertEquals(QueryException.Kind.FAILED, why.kind());
        assertTrue(String.valueOf(why.getMessage()).startsWith("model 'less' failed: "), why::getMessage);
        assertEquals(0, desk.active());
        assertEquals(
                List.of(5f),
                values(desk.submit("master/2", diamond, inputs(1, 1), 1e18).get(60, TimeUnit.SECONDS), "result"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void aModelThatOneWorkerCannotLoadRunsOnAnother(String policy) throws Exception {
        QueryDesk desk = desk(policy);
        Setup broken = new Setup(
                setup.memoryKb(),
                setup.eviction(),
                setup.order(),
                setup.models().stream()
                        .map(model -> new ModelFile(model.id(), model.name(), model.kb(), "/nowhere/" + model.name()))
                        .toList());
        WorkerServer bad = new WorkerServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                        "secret",
                        codec,
                        new OnnxRuntime(1),
                        PeerHost.NONE)
                .start();
        workers.add(bad);
        ConnectedWorker unfit = links.connect(desk, HOST, bad.port(), broken);
        join(desk);
        Workflow alone = workflow(1);
        // Several at once: the broken one fails fast, and has the shortest queue, also where the other has the model.
        for (int round = 0; unfit.isFit(); round++) {
            List<CompletableFuture<Map<String, Tensor>>> asked = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Map<String, Tensor> x = Map.of("x", Floats.of(List.of(1L, 1L), i));
                asked.add(desk.submit("master/" + round + "-" + i, alone, x, 1e18));
            }
            for (int i = 0; i < 8; i++) {
                assertEquals(List.of(2f * i + 1), values(asked.get(i).get(60, TimeUnit.SECONDS), "y"));
            }
        }
        assertEquals(0, desk.active());
    }

    /** As where another process has taken the memory of its GPU: at first its models cannot run, then not even be loaded. */
    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void whatOneWorkerHasNotTheMemoryForRunsOnAnother(String policy) throws Exception {
        QueryDesk desk = desk(policy);
        CrowdedCard card = new CrowdedCard(new OnnxRuntime(1), 3);
        ConnectedWorker crowded = join(desk, card);
        Workflow alone = workflow(1);
        answer(desk, alone, 0);
        assertTrue(crowded.isFit());
        join(desk);
        card.fill();
        for (int i = 1; i < 100 && crowded.isFit(); i++) {
            answer(desk, alone, i);
        }
        assertFalse(crowded.isFit());
        assertEquals(0, desk.active());
    }

    private void answer(QueryDesk desk, Workflow alone, int x) throws Exception {
        Map<String, Tensor> inputs = Map.of("x", Floats.of(List.of(1L, 1L), x));
        assertEquals(
                List.of(2f * x + 1),
                values(desk.submit("master/" + x, alone, inputs, 1e18).get(60, TimeUnit.SECONDS), "y"));
    }

    @Test
    void aQueryThatIsTooLargeForAllIsHeldAgainstNoWorker() throws Exception {
        QueryDesk desk = desk("compass");
        // Room for a model, none to run it.
        CrowdedCard card = new CrowdedCard(new OnnxRuntime(1), 1);
        List<ConnectedWorker> joined = List.of(join(desk, card), join(desk, new CrowdedCard(new OnnxRuntime(1), 1)));
        for (int i = 0; i < 10; i++) {
            QueryException why =
                    failure(desk.submit("master/" + i, workflow(1), Map.of("x", Floats.of(List.of(1L, 1L), i)), 1e18));
            assertEquals(QueryException.Kind.FAILED, why.kind());
            assertEquals("model 'double': out of memory", why.getMessage());
        }
        assertTrue(joined.stream().allMatch(ConnectedWorker::isFit));
        card.give(1);
        answer(desk, workflow(1), 11);
    }

    @Test
    void whoLeavesGetsNothingNewWhileThereIsAnother() throws Exception {
        QueryDesk desk = desk("hash");
        WorkerServer first = new WorkerServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                        "secret",
                        codec,
                        new OnnxRuntime(1),
                        PeerHost.NONE)
                .start();
        workers.add(first);
        ConnectedWorker leaving = links.connect(desk, HOST, first.port(), setup);
        leaving.retire();
        Workflow alone = workflow(1);
        Map<String, Tensor> x = Map.of("x", Floats.of(List.of(1L, 1L), 1));
        // One that leaves is better than none.
        desk.submit("master/0", alone, x, 1e18).get(60, TimeUnit.SECONDS);
        join(desk);
        for (int i = 1; i < 20; i++) {
            CompletableFuture<Map<String, Tensor>> answer = desk.submit("master/" + i, alone, x, 1e18);
            assertTrue(leaving.isIdle());
            answer.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void withTheLastWorkerGoneQueriesFailAndTheNextOneServesAgain() throws Exception {
        QueryDesk desk = desk("compass");
        Workflow diamond = workflow(0);
        int failed = 0;
        // A worker that has answered all before it is closed says nothing.
        for (int round = 0; failed == 0; round++) {
            WorkerServer only = join(desk);
            desk.submit("master/first-" + round, diamond, inputs(1, 1), 1e18).get(60, TimeUnit.SECONDS);
            List<CompletableFuture<Map<String, Tensor>>> asked = new ArrayList<>();
            for (int i = 1; i < 300; i++) {
                asked.add(desk.submit("master/" + round + "-" + i, diamond, inputs(i, 0), 1e18));
            }
            only.close();
            for (CompletableFuture<Map<String, Tensor>> each : asked) {
                try {
                    each.get(60, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    assertEquals(
                            QueryException.Kind.UNAVAILABLE,
                            ((QueryException) Objects.requireNonNull(e.getCause())).kind());
                    failed++;
                }
            }
        }
        join(desk);
        assertEquals(
                List.of(6f),
                values(desk.submit("master/again", diamond, inputs(1, 0), 1e18).get(60, TimeUnit.SECONDS), "result"));
    }
}
