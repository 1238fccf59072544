// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.conf.ClientConf;
import io.treadle.am.query.onnx.OnnxFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {
    private static final String SERVICE =
            """
            models: {double: {file: double.onnx}}
            workflows:
              twice:
                inputs: {x: "FP32[any, 1]"}
                tasks: {one: {model: double, inputs: {x: x}}}
                outputs: {y: one.y}
            """;

    private final Path directory;
    private final FakeGateway gateway = new FakeGateway();
    private final Configuration conf = new Configuration();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private int connected;

    ServeCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        conf.set(ClientConf.AM_JAR, write("treadle-am.jar", "jar"));
        write("treadle-onnx.jar", "onnx");
        write("double.onnx", "model");
        conf.set(ClientConf.STAGING_DIR, directory.resolve("staging").toUri().toString());
        conf.setInt(ClientConf.POLL_INTERVAL_MS, 50);
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private int run(String... arguments) {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new Cli(
                        conf,
                        console,
                        settings -> {
                            connected++;
                            return new TreadleClient(settings, gateway, new FakeHooks());
                        },
                        new FakeHooks(),
                        InstantSource.fixed(Instant.EPOCH))
                .run(List.of(arguments));
    }

    @Test
    void submitsAServiceWithItsModelsAndASecretForItsUser() throws IOException {
        String users = write("users.json", "{\"ann\": \"0123456789abcdef\"}");
        assertEquals(
                Cli.OK,
                run("serve", write("twice.yaml", SERVICE), "--detach", "--users", users),
                () -> err.toString(UTF_8));
        assertEquals(FakeGateway.ID + "\n", out.toString(UTF_8));
        Path staging = directory.resolve("staging").resolve(FakeGateway.ID.toString());
        assertEquals(SERVICE, Files.readString(staging.resolve("service.yaml")));
        assertEquals("model", Files.readString(staging.resolve("files/model-double.onnx")));
        assertEquals("onnx", Files.readString(staging.resolve("files/treadle-onnx.jar")));
        JsonNode secrets = new ObjectMapper().readTree(Files.readString(staging.resolve("users.json")));
        assertEquals("0123456789abcdef", secrets.path("ann").asText());
        assertEquals(48, secrets.path(System.getProperty("user.name")).asText().length());
    }

    @Test
    void aFileThatIsWrongIsSaidBeforeAnybodyWaitsForACluster() throws IOException {
        assertEquals(Cli.REFUSED, run("serve", directory.resolve("nowhere.yaml").toString()));
        assertEquals(Cli.REFUSED, run("serve", write("bad.yaml", SERVICE.replace("model: double", "model: triple"))));
        assertEquals(Cli.REFUSED, run("serve"));
        assertEquals(Cli.REFUSED, run("serve", "a.yaml", "b.yaml"));
        String good = write("twice.yaml", SERVICE);
        assertEquals(Cli.REFUSED, run("serve", good, "--users", write("short.json", "{\"ann\": \"short\"}")));
        assertEquals(Cli.REFUSED, run("serve", good, "--users", write("list.json", "[]")));
        assertEquals(0, connected);
        String said = err.toString(UTF_8);
        assertTrue(said.contains("there is no service file '" + directory.resolve("nowhere.yaml") + "'"), said);
        assertTrue(said.contains("'triple'"), said);
        assertTrue(said.contains("there is no service file.\nMaybe 'serve service.yaml'."), said);
        assertTrue(said.contains("there are 2 service files: a.yaml, b.yaml; must be one."), said);
        assertTrue(said.contains("the secret of 'ann' in"), said);
        assertTrue(said.contains("is no JSON object, must be a JSON object of users and their secrets"), said);
    }

    @Test
    void whatIsMissingIsSaidAndNothingIsSubmitted() throws IOException {
        Files.delete(directory.resolve("double.onnx"));
        assertEquals(Cli.REFUSED, run("serve", write("twice.yaml", SERVICE)));
        assertTrue(
                err.toString(UTF_8).contains("double.onnx' of 'models.double.file' does not exist."),
                () -> err.toString(UTF_8));
        write("double.onnx", "model");
        Files.delete(directory.resolve("treadle-onnx.jar"));
        assertEquals(Cli.REFUSED, run("serve", write("twice.yaml", SERVICE)));
        assertTrue(err.toString(UTF_8).contains("Maybe set treadle.onnx.jar"), () -> err.toString(UTF_8));
    }

    @Test
    void modelThatNamesAnotherFileIsNotUploaded() throws IOException {
        new OnnxFile().elsewhere("stolen", "container_tokens", 91).write(directory.resolve("double.onnx"));
        assertEquals(Cli.REFUSED, run("serve", write("twice.yaml", SERVICE)));
        String said = err.toString(UTF_8);
        assertTrue(
                said.contains("double.onnx' of 'models.double.file' is no model that can be run: its tensor 'stolen'"),
                said);
        assertTrue(Files.notExists(directory.resolve("staging").resolve(FakeGateway.ID.toString())));
    }

    @Test
    void dryRunSubmitsNothing() throws IOException {
        assertEquals(Cli.OK, run("serve", write("twice.yaml", SERVICE), "--dry-run"), () -> err.toString(UTF_8));
        assertTrue(err.toString(UTF_8).contains("ok: the cluster can run this service"), () -> err.toString(UTF_8));
        assertTrue(Files.notExists(directory.resolve("staging").resolve(FakeGateway.ID.toString())));
    }
}
