// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.ingress.Callers;
import io.treadle.am.query.ingress.IngressLimits;
import io.treadle.am.query.ingress.QueryIngress;
import io.treadle.am.query.ingress.QueryService;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.am.spec.ServiceSpecParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clients and the ingress share no code but the protocol: here they meet. */
@Timeout(300)
class QueryIngressAnswersClientsTest {
    private static final List<WorkflowSpec> WORKFLOWS = ServiceSpecParser.fromYaml(
                    "service.yaml",
                    """
                    models: {double: {file: double.onnx}}
                    workflows:
                      twice:
                        inputs: {x: "FP32[any, 2]", flags: "BOOL[any]"}
                        tasks: {one: {model: double, inputs: {x: x, flags: flags}}}
                        outputs: {y: one.y, z: one.z}
                    """)
            .workflows();

    private final List<String> others = new CopyOnWriteArrayList<>();
    private final QueryIngress ingress;
    private final Path secret;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    QueryIngressAnswersClientsTest(@TempDir Path directory) throws IOException {
        secret = Files.writeString(directory.resolve("secret"), FakeService.SECRET + "\n");
        ingress = QueryIngress.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "digits",
                new Callers(Map.of("ann", FakeService.SECRET)),
                IngressLimits.DEFAULT,
                new QueryService() {
                    @Override
                    public List<WorkflowSpec> workflows() {
                        return WORKFLOWS;
                    }

                    @Override
                    public List<String> others() {
                        return List.copyOf(others);
                    }

                    @Override
                    public boolean isReady() {
                        return true;
                    }

                    @Override
                    public CompletableFuture<Map<String, Tensor>> ask(
                            WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs) {
                        return doubled(inputs);
                    }
                });
    }

    /** {@code y} is twice {@code x}, and {@code z} the {@code flags}. */
    private static CompletableFuture<Map<String, Tensor>> doubled(Map<String, Tensor> inputs) {
        try {
            Tensor x = inputs.get("x");
            Tensor flags = inputs.get("flags");
            if (x == null || flags == null) {
                return CompletableFuture.failedFuture(new IllegalStateException("an input is missing"));
            }
            ByteBuffer data = ByteBuffer.allocate(x.size()).order(ByteOrder.LITTLE_ENDIAN);
            for (ByteBuffer numbers = x.data(); numbers.hasRemaining(); ) {
                data.putFloat(2 * numbers.getFloat());
            }
            return CompletableFuture.completedFuture(
                    Map.of("y", new Tensor(TensorType.FP32, x.shape(), data.flip()), "z", flags));
        } catch (TensorException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @AfterEach
    void close() {
        ingress.close();
    }

    private String url() {
        return "http://127.0.0.1:" + ingress.port();
    }

    private int run(String... words) {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        List<String> all = new ArrayList<>(List.of("query", "--url", url(), "--secret-file", secret.toString()));
        all.addAll(List.of(words));
        return new Cli(
                        new Configuration(),
                        console,
                        conf -> {
                            throw new AssertionError("no cluster is needed");
                        },
                        new FakeHooks(),
                        InstantSource.system())
                .run(all);
    }

    @Test
    void theCommandSaysWhatCanBeAskedAndAsks() {
        String takes = "twice\n  input   x FP32[any, 2]\n  input   flags BOOL[any]\n  output  y\n  output  z\n";
        assertEquals(Cli.OK, run());
        assertEquals(Cli.OK, run("twice"));
        assertEquals(takes + takes, out.toString(UTF_8));
        out.reset();
        assertEquals(
                Cli.OK, run("twice", "--input", "x=[[1, 2], [0.5, 4]]", "--input", "flags=[true]", "--output", "y"));
        assertEquals("y FP32[2, 2] [2.0 4.0] [1.0 8.0]\n", out.toString(UTF_8));
        assertEquals("", err.toString(UTF_8));
    }

    @Test
    void refusalsComeThrough() throws IOException {
        assertEquals(Cli.REFUSED, run("thrice"));
        assertEquals(
                "treadle: the service refuses (404): there is no workflow 'thrice', but [twice]\n",
                err.toString(UTF_8));
        Files.writeString(secret, "another-secret-of-somebody");
        assertEquals(Cli.REFUSED, run("twice"));
        assertTrue(err.toString(UTF_8).contains("treadle: the service does not know the caller (401)"));
    }

    @Test
    void pythonAsks() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "python3",
                "-B",
                "-c",
                """
                import sys, treadle_query
                with treadle_query.Service(sys.argv[1], sys.argv[2]) as service:
                    for i in range(3):
                        answer = service.infer("twice", x=[[i, 2.5]], flags=[True, False], deadline_ms=20000)
                        print(answer["y"], answer["z"])
                    try:
                        service.infer("thrice", x=[])
                    except treadle_query.Refused as e:
                        print(e)
                """,
                url(),
                FakeService.SECRET);
        builder.environment()
                .put(
                        "PYTHONPATH",
                        Path.of(System.getProperty("treadle.checkout", ".."), "ml-app-master/src/main/python")
                                .toAbsolutePath()
                                .toString());
        Process python;
        try {
            python = builder.redirectErrorStream(true).start();
        } catch (IOException e) {
            Assumptions.abort("no python3 on this machine: the Python client is not tested");
            return;
        }
        assertEquals(
                """
                [[0.0, 5.0]] [True, False]
                [[2.0, 5.0]] [True, False]
                [[4.0, 5.0]] [True, False]
                there is no workflow 'thrice', but [twice] (404)
                """,
                new String(python.getInputStream().readAllBytes(), UTF_8));
        assertEquals(0, python.waitFor());
    }
}
