// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import io.treadle.am.client.TreadleClient;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.cluster.EmbeddedCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** A service of four small models on a cluster: {@code diamond} answers 5x + 1 - y. */
final class TinyService implements AutoCloseable {
    static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern NUMBER = Pattern.compile("\"data\":\\[(-?[0-9.]+)\\]");

    private final EmbeddedCluster cluster;
    private final TreadleClient client;
    private final ApplicationId id;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private TinyService(EmbeddedCluster cluster, TreadleClient client, ApplicationId id) {
        this.cluster = cluster;
        this.client = client;
        this.id = id;
    }

    /** @param workers the specification's line of workers */
    static TinyService start(EmbeddedCluster cluster, String workers) throws IOException {
        Path directory = Files.createDirectories(cluster.workDirectory().resolve("service"));
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
        Path file = directory.resolve("tiny.yaml");
        Files.writeString(
                file,
                """
                queue: root.default
                workers: %s
                models:
                  double: {file: double.onnx}
                  triple: {file: triple.onnx}
                  sum: {file: Add.onnx}
                  less: {file: Sub.onnx}
                workflows:
                  diamond:
                    inputs: {x: "FP32[any, 1]", y: "FP32[any, 1]"}
                    tasks:
                      one: {model: double, inputs: {x: x}}
                      two: {model: triple, inputs: {x: x}}
                      both: {model: sum, inputs: {a: one.y, b: two.y}}
                      rest: {model: less, inputs: {a: both.c, b: y}}
                    outputs: {result: rest.c}
                """
                        .formatted(workers));
        TreadleClient client = TreadleClient.connect(cluster.configuration());
        return new TinyService(cluster, client, client.serve(file, "{\"tester\":\"" + SECRET + "\"}"));
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
        await("the service is ready", () -> {
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
        return http.send(
                HttpRequest.newBuilder(address().resolve("/v2/models/diamond/infer"))
                        .timeout(PATIENCE)
                        .header("Authorization", "Bearer " + SECRET)
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

    /** What its ApplicationMaster says of it. */
    String status() {
        return client.status(id).master().orElseThrow().json();
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + ": not within " + PATIENCE.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    @Override
    public void close() {
        client.kill(id);
        client.close();
    }
}
