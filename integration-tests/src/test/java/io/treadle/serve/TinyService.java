// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.client.JobStatus;
import io.treadle.am.client.MasterStatus;
import io.treadle.am.client.TreadleClient;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.processes.Await;
import io.treadle.processes.Await.HopelessException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.jspecify.annotations.Nullable;

/**
 * A service of five small models on a cluster: {@code diamond} answers 5x + 1 - y, {@code burn} as well, after a tenth of a
 * second of work.
 */
final class TinyService implements AutoCloseable {
    static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern NUMBER = Pattern.compile("\"data\":\\[(-?[0-9.]+)\\]");

    /** So many that a worker is busy with them, not with what is done between tasks. */
    private static final int LAYERS = 240;

    private final EmbeddedCluster cluster;
    private final TreadleClient client;
    private final ApplicationId id;
    /** YARN need not be asked before each query. */
    private final AtomicReference<@Nullable URI> known = new AtomicReference<>();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private TinyService(EmbeddedCluster cluster, TreadleClient client, ApplicationId id) {
        this.cluster = cluster;
        this.client = client;
        this.id = id;
    }

    /**
     * @param name no other service's of the cluster
     * @param workers the specification's line of workers
     */
    static TinyService start(EmbeddedCluster cluster, String name, String workers) throws IOException {
        return start(cluster, name, workers, "double.onnx", cluster.configuration());
    }

    /** One whose workers answer, too. */
    static TinyService ofPeers(EmbeddedCluster cluster, String name, String workers) throws IOException {
        return start(cluster, name, workers + "\nmode: peer", "double.onnx", cluster.configuration());
    }

    static TinyService inQueue(EmbeddedCluster cluster, String queue, String name, String workers) throws IOException {
        return start(cluster, queue, name, workers, "double.onnx", "", cluster.configuration());
    }

    /**
     * One whose models are in a folder of some file system.
     *
     * @param folder ends in a slash
     */
    static TinyService from(EmbeddedCluster cluster, String folder, String name, Configuration configuration)
            throws IOException {
        String workers = "{count: 1, memory: 512Mi}";
        return start(cluster, "root.default", name, workers, "double.onnx", folder, configuration);
    }

    /** @param first file of the first model */
    static TinyService start(
            EmbeddedCluster cluster, String name, String workers, String first, Configuration configuration)
            throws IOException {
        return start(cluster, "root.default", name, workers, first, "", configuration);
    }

    private static TinyService start(
            EmbeddedCluster cluster,
            String queue,
            String name,
            String workers,
            String first,
            String folder,
            Configuration configuration)
            throws IOException {
        Path directory = Files.createDirectories(
                cluster.workDirectory().resolve("services").resolve(name));
        if (folder.isEmpty()) {
            writeModels(directory);
        }
        Path file = directory.resolve(name + ".yaml");
        Files.writeString(
                file,
                """
                queue: %1$s
                workers: %2$s
                models:
                  double: {file: "%4$s%3$s"}
                  slow: {file: "%4$sslow.onnx"}
                  triple: {file: "%4$striple.onnx"}
                  sum: {file: "%4$sAdd.onnx"}
                  less: {file: "%4$sSub.onnx"}
                workflows:
                  diamond:
                    inputs: {x: "FP32[any, 1]", y: "FP32[any, 1]"}
                    tasks:
                      one: {model: double, inputs: {x: x}}
                      two: {model: triple, inputs: {x: x}}
                      both: {model: sum, inputs: {a: one.y, b: two.y}}
                      rest: {model: less, inputs: {a: both.c, b: y}}
                    outputs: {result: rest.c}
                  burn:
                    inputs: {x: "FP32[any, 1]", y: "FP32[any, 1]"}
                    tasks:
                      work: {model: slow, inputs: {x: x}}
                      one: {model: double, inputs: {x: work.y}}
                      two: {model: triple, inputs: {x: x}}
                      both: {model: sum, inputs: {a: one.y, b: two.y}}
                      rest: {model: less, inputs: {a: both.c, b: y}}
                    outputs: {result: rest.c}
                """
                        .formatted(queue, workers, first, folder));
        TreadleClient client = TreadleClient.connect(configuration);
        return new TinyService(cluster, client, client.serve(file, "{\"tester\":\"" + SECRET + "\"}"));
    }

    static void writeModels(Path directory) throws IOException {
        new OnnxFile()
                .input("x", -1)
                .node("Guess", List.of("x"), "y")
                .output("y", -1)
                .write(directory.resolve("none.onnx"));
        slow(directory.resolve("slow.onnx"));
        OnnxFile.linear(directory.resolve("double.onnx"), new float[] {2}, 1, 1);
        OnnxFile.linear(directory.resolve("triple.onnx"), new float[] {3}, 1, 0);
        for (String operator : List.of("Add", "Sub")) {
            new OnnxFile()
                    .input("a", -1, 1)
                    .input("b", -1, 1)
                    .node(operator, List.of("a", "b"), "c")
                    .output("c", -1, 1)
                    .write(directory.resolve(operator + ".onnx"));
        }
    }

    /** Gives out what it gets, by way of many products with a matrix that has one in its diagonal. */
    private static void slow(Path file) throws IOException {
        int width = 1024;
        float[] one = new float[width * width];
        float[] spread = new float[width];
        float[] gathered = new float[width];
        for (int i = 0; i < width; i++) {
            one[i * width + i] = 1;
        }
        spread[0] = 1;
        gathered[0] = 1;
        OnnxFile model = new OnnxFile()
                .input("x", -1, 1)
                .constant("one", one, width, width)
                .constant("spread", spread, 1, width)
                .constant("gathered", gathered, width, 1)
                .node("MatMul", List.of("x", "spread"), "h0");
        for (int i = 0; i < LAYERS; i++) {
            model.node("MatMul", List.of("h" + i, "one"), "h" + (i + 1));
        }
        model.node("MatMul", List.of("h" + LAYERS, "gathered"), "y")
                .output("y", -1, 1)
                .write(file);
    }

    ApplicationId id() {
        return id;
    }

    EmbeddedCluster cluster() {
        return cluster;
    }

    TreadleClient client() {
        return client;
    }

    /** Where it answers just now. */
    URI address() {
        ApplicationReport report = client.report(id);
        return URI.create("http://" + report.getHost() + ":" + report.getRpcPort());
    }

    void awaitReady() throws Exception {
        known.set(null);
        Await.until("the service is ready", () -> {
            ApplicationReport report = client.report(id);
            if (report.getYarnApplicationState() == YarnApplicationState.FAILED
                    || report.getYarnApplicationState() == YarnApplicationState.FINISHED) {
                throw new AssertionError("the service has ended: " + report.getDiagnostics());
            }
            return report.getYarnApplicationState() == YarnApplicationState.RUNNING
                    && status("/v2/health/ready") == 200;
        });
    }

    private int status(String path) throws InterruptedException {
        try {
            return http.send(
                            HttpRequest.newBuilder(address().resolve(path)).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /** @return the answer as it came */
    HttpResponse<String> ask(double x, double y) throws IOException, InterruptedException {
        return ask("diamond", x, y);
    }

    HttpResponse<String> ask(String workflow, double x, double y) throws IOException, InterruptedException {
        return ask(known.updateAndGet(before -> before == null ? address() : before), workflow, x, y);
    }

    /** Where its workers answer, as an ingress says. */
    List<URI> ingresses(URI ingress) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(ingress.resolve("/v2"))
                        .timeout(PATIENCE)
                        .header("Authorization", "Bearer " + SECRET)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        List<URI> all = new ArrayList<>();
        new ObjectMapper()
                .readTree(answer.body())
                .path("ingresses")
                .forEach(each -> all.add(URI.create(each.asText())));
        return all;
    }

    void awaitIngresses(int count) throws Exception {
        Await.until(count + " ingresses that are connected to workers", () -> {
            List<URI> all = ingresses(address());
            return all.size() == count && all.stream().allMatch(this::isReady);
        });
    }

    private boolean isReady(URI ingress) {
        try {
            HttpRequest request = HttpRequest.newBuilder(ingress.resolve("/v2/health/ready"))
                    .timeout(PATIENCE)
                    .header("Authorization", "Bearer " + SECRET)
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many workers there are to be. */
    int wantedWorkers() throws IOException {
        return new ObjectMapper().readTree(status()).path("workersWanted").asInt();
    }

    /** How many queries were answered, as its ApplicationMaster says. */
    long answered() throws IOException {
        long answered = 0;
        for (JsonNode workflow : new ObjectMapper().readTree(status()).path("workflows")) {
            answered += workflow.path("answered").asLong();
        }
        return answered;
    }

    /** @param address of an ingress */
    HttpResponse<String> ask(URI address, String workflow, double x, double y)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(address.resolve("/v2/models/" + workflow + "/infer"))
                        .timeout(PATIENCE)
                        .header("Authorization", "Bearer " + SECRET)
                        // Twice what is usual: a worker may stand still for as long as that on a busy machine.
                        .header("X-Deadline-Ms", "60000")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[" + x
                                        + "]},{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[" + y
                                        + "]}]}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The number of an answer. */
    static double result(HttpResponse<String> answer) {
        Matcher number = NUMBER.matcher(answer.body());
        if (answer.statusCode() != 200 || !number.find()) {
            throw new AssertionError("answer " + answer.statusCode() + ": " + answer.body());
        }
        return Double.parseDouble(number.group(1));
    }

    List<String> awaitWorkers(int count) throws Exception {
        return Await.value(
                count + " workers", () -> Optional.of(readyWorkers()).filter(workers -> workers.size() == count));
    }

    /** Ids of the containers whose workers answer queries, sorted. */
    List<String> readyWorkers() throws IOException {
        List<String> ready = new ArrayList<>();
        for (JsonNode worker : new ObjectMapper().readTree(status()).path("workers")) {
            if (worker.path("state").asText().equals("ready")) {
                ready.add(worker.path("containerId").asText());
            }
        }
        Collections.sort(ready);
        return ready;
    }

    /** Ends a process of this service's at once: a container's, or its ApplicationMaster's. */
    void kill(String main, String containerId) {
        List<ProcessHandle> found = ContainerProcesses.under(cluster.workDirectory()).stream()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(main))
                        .isPresent())
                .filter(process -> worksIn(process.pid(), containerId))
                .toList();
        if (found.isEmpty()) {
            throw new AssertionError("no process of " + main + " runs in " + containerId);
        }
        found.forEach(ProcessHandle::destroyForcibly);
    }

    private static boolean worksIn(long pid, String containerId) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .toString()
                    .contains(containerId);
        } catch (IOException e) {
            return false;
        }
    }

    /** What its ApplicationMaster says of it, which on a busy machine or between two of them does not answer at once. */
    String status() {
        return Await.value("the ApplicationMaster answers", () -> {
            JobStatus status = client.status(id);
            if (status.isOver()) {
                throw new HopelessException("the service has ended: " + status.diagnostics());
            }
            return status.master().map(MasterStatus::json);
        });
    }

    @Override
    public void close() {
        if (!client.status(id).isOver()) {
            client.kill(id);
        }
        client.close();
    }
}
