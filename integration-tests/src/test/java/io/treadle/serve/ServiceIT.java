// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.client.ClientException;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.processes.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services on a cluster, their queries, and what becomes of them when something goes wrong. */
class ServiceIT {
    private static final String WORKER = "io.treadle.am.query.onnx.OnnxWorker";
    private static final String MASTER = "io.treadle.am.service.ServiceMaster";

    private static final org.apache.hadoop.fs.Path MODELS = new org.apache.hadoop.fs.Path("/models");

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = EmbeddedCluster.builder()
                .node(new NodeShape("n1", 5120, 8, List.of()))
                .node(new NodeShape("n2", 5120, 8, List.of()))
                .start();
    }

    /** What containers wrote goes with the cluster: it is kept beside the test's own report. */
    @AfterAll
    static void stop() throws IOException {
        Path kept = Files.createDirectories(Path.of("target", "service-logs"));
        try (Stream<Path> files = Files.walk(cluster.workDirectory())) {
            for (Path file : files.filter(each -> each.toString().matches(".*/(AppMaster\\.stderr|worker\\.log)"))
                    .toList()) {
                String name = file.getParent().getFileName() + "-" + file.getFileName();
                Files.copy(file, kept.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            cluster.close();
        }
    }

    private static Configuration configuration() {
        return new Configuration(cluster.configuration());
    }

    @Test
    void aKilledWorkersQueriesAreAnsweredElsewhereAndItIsReplaced() throws Exception {
        try (TinyService service = TinyService.start(cluster, "killed", "{count: 3, memory: 512Mi}")) {
            service.awaitReady();
            List<String> before = service.awaitWorkers(3);
            try (Clients clients = new Clients(service, "diamond", 6)) {
                clients.awaitMore(50);
                service.kill(WORKER, before.get(1));
                clients.awaitMore(50);
                Await.until("another worker", () -> {
                    clients.check();
                    List<String> now = service.readyWorkers();
                    return now.size() == 3 && !now.contains(before.get(1));
                });
                clients.awaitMore(50);
            }
        }
    }

    @Test
    void whileTheMasterIsAwayClientsMayAskAgainAndWorkersStay() throws Exception {
        try (TinyService service = TinyService.start(cluster, "away", "{count: 2, memory: 512Mi}");
                TinyService other = TinyService.start(cluster, "other", "{count: 1, memory: 512Mi}")) {
            service.awaitReady();
            other.awaitReady();
            List<String> before = service.awaitWorkers(2);
            // From now on it is known where this master answers: its follower answers elsewhere.
            assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(7, 2)));
            service.kill(MASTER, "container");
            // Both services' masters are gone: the second is there to show that neither takes the other's workers.
            Await.until("nobody answers", () -> {
                try {
                    HttpResponse<String> answer = service.ask(1, 1);
                    return answer.statusCode() == 503 && mayAskAgain(answer);
                } catch (ConnectException e) {
                    // Nobody is at the port any more, and the system says so at once.
                    return true;
                } catch (IOException e) {
                    // It was on its way when the master went.
                    return false;
                }
            });
            Await.until("the next master", () -> service.status().contains("\"attempt\" : 2"));
            service.awaitReady();
            other.awaitReady();
            Await.until("the same workers", () -> service.readyWorkers().equals(before));
            assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(7, 2)));
            assertEquals(5.0 * 7 + 1 - 2, TinyService.result(other.ask(7, 2)));
        }
    }

    private static boolean mayAskAgain(HttpResponse<String> answer) {
        return answer.headers().firstValue("Retry-After").isPresent()
                && List.of(
                                "{\"error\":\"no worker is there\"}",
                                "{\"error\":\"the last worker has gone\"}",
                                "{\"error\":\"the service starts: its models are being measured\"}")
                        .contains(answer.body());
    }

    @Test
    void clientsOfPeersMissNeitherAWorkerNorTheMaster() throws Exception {
        try (TinyService service = TinyService.ofPeers(cluster, "peers", "{count: 3, memory: 512Mi}")) {
            service.awaitReady();
            service.awaitIngresses(3);
            List<String> before = service.awaitWorkers(3);
            try (Clients clients = new Clients(new AnyIngress(service), "diamond", 6)) {
                clients.awaitMore(100);
                service.kill(WORKER, before.get(1));
                clients.awaitMore(100);
                Await.until("another worker", () -> {
                    clients.check();
                    List<String> now = service.readyWorkers();
                    return now.size() == 3 && !now.contains(before.get(1));
                });
                service.awaitIngresses(3);
                List<String> workers = service.awaitWorkers(3);
                service.kill(MASTER, "container");
                clients.awaitMore(200);
                Await.until("the next master", () -> {
                    clients.check();
                    return service.status().contains("\"attempt\" : 2");
                });
                service.awaitReady();
                Await.until("the same workers", () -> service.readyWorkers().equals(workers));
                service.awaitIngresses(3);
                clients.awaitMore(100);
                int asked = clients.answered();
                Await.until("the master hears of all answers", () -> service.answered() >= asked);
            }
            // They have gone on where they were, whoever was master.
            for (URI each : service.ingresses(service.address())) {
                assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(each, "diamond", 7, 2)));
            }
        }
    }

    /** More are wanted than the queue has room for: two of four gigabytes, beside the ApplicationMaster. */
    @ParameterizedTest
    @ValueSource(strings = {"central", "peer"})
    void workersComeWithLoadWhereTheirQueueHasRoomAndGoWithoutADroppedQuery(String mode) throws Exception {
        Configuration impatient = configuration();
        impatient.set("treadle.service.patience-seconds", "3");
        String workers = "{count: 1, min: 1, max: 8, memory: 4Gi}\nmode: " + mode;
        try (TinyService service = TinyService.start(cluster, "scaled-" + mode, workers, "double.onnx", impatient)) {
            service.awaitReady();
            service.awaitWorkers(1);
            Clients.Asking asking = service::ask;
            if (mode.equals("peer")) {
                service.awaitIngresses(1);
                asking = new AnyIngress(service);
            }
            try (Clients few = new Clients(asking, "diamond", 1)) {
                try (Clients many = new Clients(asking, "burn", 12)) {
                    Await.until("as many workers as there is room for, and more wanted", () -> {
                        many.check();
                        return service.readyWorkers().size() == 2 && service.wantedWorkers() > 2;
                    });
                    many.awaitMore(50);
                    service.awaitWorkers(2);
                }
                // One client that asks for next to nothing needs one worker.
                Await.until("one worker", () -> {
                    few.check();
                    return service.readyWorkers().size() == 1;
                });
                few.awaitMore(20);
            }
        }
    }

    @Test
    void aServiceThatCannotRunSaysWhy() throws Exception {
        try (TinyService service =
                TinyService.start(cluster, "broken", "{count: 1, memory: 512Mi}", "none.onnx", configuration())) {
            Await.until("the end", () -> service.client().status(service.id()).isOver());
            String why = service.client().report(service.id()).getDiagnostics();
            assertTrue(why.startsWith("model 'double': model-double.onnx is no model that can be run: "), why);
        }
        try (TinyService service = TinyService.start(
                cluster, "small", "{count: 1, memory: 512Mi, modelMemory: 1Mi}", "double.onnx", configuration())) {
            Await.until("the end", () -> service.client().status(service.id()).isOver());
            String why = service.client().report(service.id()).getDiagnostics();
            assertTrue(why.startsWith("model 'slow' takes "), why);
            assertTrue(why.contains("must be at most the 1 MiB that a worker has for models"), why);
        }
        try (TinyService service =
                TinyService.start(cluster, "miswired", "{count: 1, memory: 512Mi}", "Add.onnx", configuration())) {
            Await.until("the end", () -> service.client().status(service.id()).isOver());
            assertEquals(
                    "task 'one' of workflow 'diamond' gives its model 'double' an input 'x', which takes [a, b]",
                    service.client().report(service.id()).getDiagnostics().strip());
        }
        RuntimeException missing = assertThrows(RuntimeException.class, () -> TinyService.start(
                        cluster, "missing", "{count: 1}", "nowhere.onnx", configuration())
                .close());
        assertTrue(
                String.valueOf(missing.getMessage()).contains("nowhere.onnx' of 'models.double.file' does not exist."),
                missing::getMessage);
    }

    /** The cluster's own file system is a local one: what is on HDFS is so by its address alone. */
    @Test
    void modelsAndStagedFilesMayBeOnHdfs() throws Exception {
        Path local = Files.createDirectories(cluster.workDirectory().resolve("models"));
        TinyService.writeModels(local);
        Path data = cluster.workDirectory().resolve("hdfs");
        try (MiniDFSCluster hdfs = new MiniDFSCluster.Builder(new HdfsConfiguration(), data.toFile()).build()) {
            FileSystem files = hdfs.getFileSystem();
            files.copyFromLocalFile(new org.apache.hadoop.fs.Path(local.toUri()), MODELS);
            Configuration onHdfs = configuration();
            onHdfs.set("fs.defaultFS", files.getUri().toString());
            // Where it is by default, on the default file system.
            onHdfs.unset("treadle.staging-dir");
            String folder = files.getUri() + MODELS.toString() + "/";
            try (TinyService service = TinyService.from(cluster, folder, "hdfs", onHdfs)) {
                service.awaitReady();
                assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(7, 2)));
                org.apache.hadoop.fs.Path staging =
                        new org.apache.hadoop.fs.Path(files.getHomeDirectory(), ".treadle/staging/" + service.id());
                assertTrue(files.exists(staging), staging + " is not on HDFS");
                service.client().kill(service.id());
                assertFalse(files.exists(staging), staging + " is left");
            }
            // No host: on the default file system.
            assertTrue(files.delete(new org.apache.hadoop.fs.Path(MODELS, "triple.onnx"), false));
            ClientException missing = assertThrows(
                    ClientException.class, () -> TinyService.from(cluster, "hdfs://" + MODELS + "/", "unstaged", onHdfs)
                            .close());
            assertTrue(
                    String.valueOf(missing.getMessage())
                            .startsWith("'hdfs:///models/triple.onnx' of 'models.triple.file' does not exist.\n"),
                    missing::getMessage);
        }
    }

    @Test
    void wrongQueriesAreToldWhatIsWrong() throws Exception {
        try (TinyService service = TinyService.start(cluster, "asked", "{count: 1, memory: 512Mi}")) {
            service.awaitReady();
            HttpResponse<String> unknown = service.ask("nothing", 1, 2);
            assertEquals(404, unknown.statusCode());
            assertTrue(unknown.body().contains("there is no workflow 'nothing', but [diamond, burn]"), unknown::body);
            assertEquals(
                    YarnApplicationState.RUNNING,
                    service.client().status(service.id()).state());
        }
    }
}
