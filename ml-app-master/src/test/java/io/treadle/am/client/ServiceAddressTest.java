// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.conf.ClientConf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Services by their application ids, and the command from its words to its exit code. */
class ServiceAddressTest {
    private static final String ID = FakeGateway.ID.toString();

    private final FakeGateway gateway = new FakeGateway();
    private final FakeService service = new FakeService();
    private final Configuration conf = new Configuration();
    private final Path directory;
    private final Path users;
    private final String user;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    ServiceAddressTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        conf.set(ClientConf.STAGING_DIR, directory.resolve("staging").toUri().toString());
        users = Files.createDirectories(directory.resolve("staging").resolve(ID))
                .resolve("users.json");
        user = UserGroupInformation.getCurrentUser().getShortUserName();
        Files.writeString(users, "{\"" + user + "\": \"" + FakeService.SECRET + "\", \"bob\": \"fedcba9876543210\"}");
    }

    @AfterEach
    void close() {
        service.close();
    }

    private void report(String type, YarnApplicationState state, String host, int port) {
        ApplicationReport report = FakeGateway.report(state, FinalApplicationStatus.UNDEFINED, "");
        report.setApplicationType(type);
        report.setHost(host);
        report.setRpcPort(port);
        gateway.reports.add(report);
    }

    private void running() {
        report("TREADLE-SERVICE", YarnApplicationState.RUNNING, "127.0.0.1", service.port());
    }

    private ServiceAddress find() {
        return new TreadleClient(conf, gateway, new FakeHooks()).service(FakeGateway.ID);
    }

    private String refusal() {
        return assertThrows(ClientException.class, this::find).getMessage();
    }

    private int run(String... words) {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new Cli(
                        conf,
                        console,
                        settings -> new TreadleClient(settings, gateway, new FakeHooks()),
                        new FakeHooks(),
                        InstantSource.system())
                .run(List.of(words));
    }

    @Test
    void theReportSaysWhereAndTheStagingDirectoryTheCallersSecret() {
        running();
        assertEquals(new ServiceAddress("127.0.0.1", service.port(), FakeService.SECRET), find());
    }

    @Test
    void theOnlyUserIsTheCallerWhateverItsName() throws IOException {
        running();
        Files.writeString(users, "{\"service\": \"" + FakeService.SECRET + "\"}");
        assertEquals(FakeService.SECRET, find().secret());
    }

    @Test
    void jobsAreNoServices() {
        report("TREADLE", YarnApplicationState.RUNNING, "127.0.0.1", 1);
        assertEquals(
                ID + " is of the type TREADLE, must be TREADLE-SERVICE.\nMaybe 'status " + ID + "' says what it does.",
                refusal());
    }

    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "FAILED", "KILLED"})
    void whatIsOverCanBeStartedAgain(YarnApplicationState state) {
        report("TREADLE-SERVICE", state, "127.0.0.1", 1);
        assertEquals(
                ID + " is " + state + ", must be RUNNING.\nMaybe start the service again; it will have another id.",
                refusal());
    }

    @ParameterizedTest
    @CsvSource({
        "ACCEPTED, N/A, -1, 'is ACCEPTED, must be RUNNING.'",
        "NEW, N/A, -1, 'is NEW, must be RUNNING.'",
        "RUNNING, N/A, -1, 'is RUNNING, but has not said where it answers.'",
        "RUNNING, , 7, 'is RUNNING, but has not said where it answers.'",
    })
    void whatIsBeingStartedMayAnswerLater(YarnApplicationState state, String host, int port, String said) {
        report("TREADLE-SERVICE", state, host, port);
        UnansweredException e = assertThrows(UnansweredException.class, this::find);
        assertTrue(e.getMessage().startsWith(ID + " " + said + "\nMaybe it is being started"), e.getMessage());
        assertTrue(e.againAfterMs() > 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | are [], must have",
                "{\"ann\": \"0123456789abcdef\", \"bob\": \"0123456789abcdef\"} | are [ann, bob], must have",
                "{\"ann\": 7} | must be a text",
                "{\"ann\": \" \"} | must be a text",
                "{\"ann\": \"0123 \u00e9\"} | must be a text of printable ASCII",
                "[] | must be a JSON object of users and their secrets",
                "nonsense0123 | is no JSON, must be",
            })
    void usersThatDoNotHaveTheCallerAreNamedAndSecretsAreNot(String content, String part) throws IOException {
        running();
        Files.writeString(users, content);
        String message = refusal();
        assertTrue(message.contains(part) && message.contains("users.json'"), message);
        assertTrue(message.contains("\nMaybe the service is somebody else's") && message.contains("--secret-file"));
        assertFalse(message.contains("0123"), message);
    }

    @Test
    void withoutTheFileAnotherSecretMustBeNamed() throws IOException {
        running();
        Files.delete(users);
        String message = refusal();
        assertTrue(message.startsWith("there is no file '") && message.contains("--secret-file"), message);
        Files.createDirectory(users);
        assertTrue(refusal().contains("--secret-file"));
    }

    @Test
    void theCommandAsksTheServiceOfAnApplication() {
        running();
        assertEquals(Cli.OK, run("query", ID, "twice", "--input", "x=[[1, 2]]", "--input", "n=1"));
        assertEquals("y FP32[2, 2] [2.5 4] [6 null]\nmask BOOL[] true\n", out.toString(UTF_8));
        assertTrue(gateway.closed);
    }

    @Test
    void aSecretOfAnotherFileNeedsNoStagingDirectory() throws IOException {
        running();
        Files.delete(users);
        Path secret = Files.writeString(directory.resolve("secret"), FakeService.SECRET + "\n");
        assertEquals(Cli.OK, run("query", ID, "twice", "--secret-file", secret.toString()));
        assertTrue(out.toString(UTF_8).startsWith("twice\n"), out.toString(UTF_8));
    }

    @Test
    void anAddressNeedsNoCluster() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), FakeService.SECRET);
        assertEquals(Cli.OK, run("query", "--url", service.url() + "/", "--secret-file", secret.toString()));
        assertTrue(out.toString(UTF_8).startsWith("twice\n"), out.toString(UTF_8));
        assertFalse(gateway.closed);
    }

    @ParameterizedTest
    @CsvSource({"''", "' '", "two words", "sécret0123456789"})
    void secretsThatAreNoneAreNotShown(String content) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), content);
        assertEquals(Cli.REFUSED, run("query", "--url", service.url(), "--secret-file", secret.toString()));
        assertEquals(
                "treadle: '" + secret
                        + "' must hold a secret of printable ASCII characters without spaces, and nothing else\n",
                err.toString(UTF_8));
    }

    @Test
    void whatIsRefusedAndWhatFailsDifferInTheExitCode() {
        assertEquals(Cli.REFUSED, run("query", ID));
        assertTrue(err.toString(UTF_8).startsWith("treadle: " + ID + " could not be looked up"), err.toString(UTF_8));
        running();
        service.answers.add(FakeService.Answer.of(500, "{\"error\": \"model 'double' failed\"}"));
        assertEquals(Cli.FAILED, run("query", ID, "--no-retry"));
        assertTrue(err.toString(UTF_8).endsWith("treadle: the service failed (500): model 'double' failed\n"));
    }
}
