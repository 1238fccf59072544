// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.master.ConnectedWorker;
import io.treadle.am.query.master.DeskFigures;
import io.treadle.am.query.master.ModelFacts;
import io.treadle.am.query.master.PeerRoster;
import io.treadle.am.query.master.ServiceDesk;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.worker.ModelException;
import io.treadle.am.query.worker.ModelRuntime;
import io.treadle.am.query.worker.WorkerServer;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master and three workers that are ingresses themselves, over TCP, with real models. */
@Timeout(300)
class PeerIngressTest {
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final String USER = "0123456789abcdef";
    private static final Map<String, String> USERS = Map.of("ann", USER);

    /** By hash, so that each worker gets its part of what is asked, whatever it holds. */
    private static final String TEXT =
            """
            mode: peer
            policy: hash
            workers: {count: 3, memory: 512Mi}
            models:
              double: {file: double.onnx}
              less: {file: less.onnx}
            workflows:
              two-steps:
                inputs: {x: "FP32[any, 1]", y: "FP32[any, 1]"}
                tasks:
                  one: {model: double, inputs: {x: x}}
                  rest: {model: less, inputs: {a: one.y, b: y}}
                outputs: {result: rest.c}
            """;

    private static final ServiceSpec SPEC = ServiceSpecParser.fromYaml("tiny.yaml", TEXT);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path directory;
    private final List<WorkerServer> workers = new ArrayList<>();
    private final List<ConnectedWorker> connected = new ArrayList<>();
    /** By worker: whether it can load nothing. */
    private final Set<Integer> broken = ConcurrentHashMap.newKeySet();

    private ServiceDesk master = master(1);
    private PeerRoster roster = new PeerRoster(master, TEXT, USERS);

    PeerIngressTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        OnnxFile.linear(directory.resolve("model-double.onnx"), new float[] {2}, 1, 1);
        new OnnxFile()
                .input("a", -1, 1)
                .input("b", -1, 1)
                .node("Sub", List.of("a", "b"), "c")
                .output("c", -1, 1)
                .write(directory.resolve("model-less.onnx"));
    }

    private static TensorSpec column(String name) {
        return new TensorSpec(name, TensorType.FP32, List.of(TensorSpec.ANY, 1L));
    }

    /** One that knows from another what the models are. */
    private static ServiceDesk master(int life) {
        return ServiceDesk.ofMaster(
                SPEC,
                "secret",
                life,
                List.of(
                        new ModelFacts("double", 40, 1, 0, List.of(column("x")), List.of(column("y"))),
                        new ModelFacts("less", 40, 1, 0, List.of(column("a"), column("b")), List.of(column("c")))));
    }

    @BeforeEach
    void start() throws Exception {
        ModelRuntime runtime = new OnnxRuntime(1);
        for (int i = 0; i < 3; i++) {
            WorkerServer worker = new WorkerServer(
                            new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                            "secret",
                            new FrameCodec(1 << 20),
                            loading(i, runtime),
                            new PeerIngress("w" + i, "secret"))
                    .start();
            workers.add(worker);
            connect(worker);
        }
        awaitIngresses(3);
    }

    private ModelRuntime loading(int worker, ModelRuntime runtime) {
        return (name, file) -> {
            if (broken.contains(worker)) {
                throw new ModelException("model '" + name + "' finds no memory");
            }
            return runtime.load(name, directory.resolve(file));
        };
    }

    private void connect(WorkerServer worker) throws Exception {
        ConnectedWorker link = master.connect(HOST, worker.port());
        connected.add(link);
        roster.joined(link);
    }

    private void awaitIngresses(int count) throws Exception {
        await(() -> {
            roster.tell();
            return master.others().size() == count
                    && master.others().stream().allMatch(address -> knownBy(address) == count && isReady(address));
        });
    }

    /** Whether it is connected to a worker: it hears who the others are before that. */
    private boolean isReady(String address) {
        try {
            return send(HttpRequest.newBuilder(URI.create(address + "/v2/health/ready")))
                            .statusCode()
                    == 200;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    /** How many ingresses one of them knows of; 0 where it does not answer. */
    private int knownBy(String address) {
        try {
            return send(HttpRequest.newBuilder(URI.create(address + "/v2")))
                            .body()
                            .split("http://", -1)
                            .length
                    - 1;
        } catch (IOException | InterruptedException e) {
            return 0;
        }
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(
                request.header("Authorization", "Bearer " + USER).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder query(String address, double x, double y) {
        return HttpRequest.newBuilder(URI.create(address + "/v2/models/two-steps/infer"))
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[" + x
                                + "]},{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[" + y + "]}]}"));
    }

    private void ask(String address, int x) throws Exception {
        HttpResponse<String> answer = send(query(address, x, 3));
        assertEquals(200, answer.statusCode(), answer::body);
        assertTrue(answer.body().contains("\"data\":[" + (2.0 * x + 1 - 3) + "]"), answer::body);
    }

    private CompletableFuture<Void> askMany(String address, int count) {
        return CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    ask(address, i);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private long answered() {
        return master.figures().workflows().get(0).answered();
    }

    @AfterEach
    void close() throws Exception {
        master.close();
        for (WorkerServer worker : workers) {
            worker.close();
        }
    }

    @Test
    void eachWorkerAnswersWithTheHelpOfAll() throws Exception {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (String address : master.others()) {
            for (int client = 0; client < 3; client++) {
                all.add(askMany(address, 50));
            }
        }
        for (CompletableFuture<Void> each : all) {
            each.get(60, TimeUnit.SECONDS);
        }
        await(() -> answered() == 450);
        DeskFigures figures = master.figures();
        assertEquals(0, figures.active());
        assertFalse(figures.workflows().get(0).latenciesMs().isEmpty());
        assertTrue(figures.workMs() > 0, "what peers had done is the service's work");
        assertEquals(
                401,
                http.send(query(master.others().get(0), 1, 1).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode());
    }

    @Test
    void whatALostPeerHadIsAnsweredByOthersAndItsAnswersStayCounted() throws Exception {
        List<String> ingresses = List.copyOf(master.others());
        for (String each : ingresses) {
            askMany(each, 10).get(60, TimeUnit.SECONDS);
        }
        await(() -> answered() == 30);
        String gone = address(0);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (String address : ingresses) {
            if (!address.equals(gone)) {
                all.add(askMany(address, 200));
                all.add(askMany(address, 200));
            }
        }
        workers.get(0).close();
        for (CompletableFuture<Void> each : all) {
            each.get(60, TimeUnit.SECONDS);
        }
        awaitIngresses(2);
        assertFalse(master.others().contains(gone));
        await(() -> answered() == 830);
    }

    /** Where a worker answers. */
    private String address(int worker) throws Exception {
        int port = workers.get(worker).port();
        Optional<DeskFigures.Worker> figures = master.figures().workers().stream()
                .filter(each -> each.port() == port)
                .findFirst();
        return "http://" + HOST + ":" + figures.orElseThrow().ingress();
    }

    @Test
    void withoutTheirMasterPeersGoOnAndTheNextOneFindsThem() throws Exception {
        List<String> ingresses = List.copyOf(master.others());
        CompletableFuture<Void> during = askMany(ingresses.get(0), 300);
        master.close();
        for (String each : ingresses) {
            askMany(each, 50).get(60, TimeUnit.SECONDS);
        }
        during.get(60, TimeUnit.SECONDS);
        master = master(2);
        roster = new PeerRoster(master, TEXT, USERS);
        connected.clear();
        for (WorkerServer worker : workers) {
            connect(worker);
        }
        awaitIngresses(3);
        assertEquals(ingresses, master.others(), "they have not begun anew");
        await(() -> answered() >= 450);
        askMany(ingresses.get(2), 20).get(60, TimeUnit.SECONDS);
    }

    @Test
    void oneThatLeavesTakesNothingNewAndIsIdleOnceNobodyNeedsIt() throws Exception {
        String leaving = address(1);
        CompletableFuture<Void> elsewhere = askMany(address(0), 300);
        connected.get(1).retire();
        assertFalse(connected.get(1).isIdle(), "others do not know yet");
        roster.tell();
        await(() -> send(query(leaving, 1, 1)).statusCode() == 503);
        HttpResponse<String> refused = send(query(leaving, 1, 1));
        assertTrue(refused.body().contains("this worker leaves, others of the service answer"), refused::body);
        assertTrue(refused.headers().firstValue("Retry-After").isPresent());
        elsewhere.get(60, TimeUnit.SECONDS);
        await(() -> connected.get(1).isIdle());
        awaitIngresses(2);
        workers.get(1).close();
        askMany(address(0), 50).get(60, TimeUnit.SECONDS);
    }

    /** The master's connection breaks for a moment, and the list lacks a worker that peers are just using. */
    @Test
    void oneThatIsBackOnTheListIsUsedAgainAndCountedOnce() throws Exception {
        CompletableFuture<Void> busy = askMany(address(0), 400);
        connected.get(1).close();
        await(() -> {
            roster.tell();
            return master.others().size() == 2 && master.others().stream().allMatch(each -> knownBy(each) == 2);
        });
        connect(workers.get(1));
        awaitIngresses(3);
        busy.get(60, TimeUnit.SECONDS);
        await(() -> answered() == 400);
        long before = tasks(1);
        while (tasks(1) == before) {
            askMany(address(0), 20).get(60, TimeUnit.SECONDS);
        }
    }

    private long tasks(int worker) {
        return master.figures().workers().stream()
                .filter(each -> each.port() == workers.get(worker).port())
                .mapToLong(DeskFigures.Worker::tasks)
                .sum();
    }

    /** Clients ask peers alone: the master hears of it all the same, and peers do not go on choosing the one that fails fast. */
    @Test
    void aWorkerThatCanLoadNothingIsGivenNothingAndItsMasterHears() throws Exception {
        for (String each : master.others()) {
            askMany(each, 5).get(60, TimeUnit.SECONDS);
        }
        workers.get(2).close();
        awaitIngresses(2);
        WorkerServer fresh = new WorkerServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                        "secret",
                        new FrameCodec(1 << 20),
                        loading(3, new OnnxRuntime(1)),
                        new PeerIngress("w3", "secret"))
                .start();
        workers.add(fresh);
        broken.add(3);
        connect(fresh);
        awaitIngresses(3);
        ConnectedWorker unfit = connected.get(3);
        while (unfit.isFit()) {
            askMany(address(0), 10).get(60, TimeUnit.SECONDS);
        }
        // Its failures are its own affair: nobody was answered wrongly, and nobody is from now on.
        askMany(address(1), 50).get(60, TimeUnit.SECONDS);
    }

    @Test
    void aSpecificationThatCannotBeLeavesTheWorkerAWorker() throws Exception {
        Files.delete(directory.resolve("model-double.onnx"));
        PeerRoster wrong = new PeerRoster(master, TEXT.replace("file: less.onnx", "file: 7, size: 2"), USERS);
        List<String> before = List.copyOf(master.others());
        wrong.joined(connected.get(0));
        wrong.tell();
        // Its own ingress went with the one that was to be instead; the master's own queries still run.
        await(() -> knownBy(before.get(0)) == 0 || knownBy(before.get(1)) == 0 || knownBy(before.get(2)) == 0);
        assertTrue(master.isReady());
    }
}
