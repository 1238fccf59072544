// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treadle.am.conf.ClientConf;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.core.wire.GangSpec;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreadleClientTest {
    private final Path directory;

    private final FakeGateway gateway = new FakeGateway();
    private final FakeHooks hooks = new FakeHooks();
    private final Configuration conf = new Configuration();

    TreadleClientTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        Path jar = Files.writeString(directory.resolve("some-am.jar"), "the jar");
        conf.set(ClientConf.AM_JAR, jar.toString());
        conf.set(ClientConf.STAGING_DIR, staging().toUri().toString());
        conf.set(ClientConf.VIEW_ACL, "ann staff");
        conf.set(ClientConf.MODIFY_ACL, "ann");
        conf.set(ClientConf.AM_EXTRA_CLASSPATH, "/opt/more.jar");
        conf.setInt(ClientConf.POLL_INTERVAL_MS, 50);
    }

    private Path staging() {
        return directory.resolve("staging");
    }

    private Path jobDirectory() {
        return staging().resolve(FakeGateway.ID.toString());
    }

    private TreadleClient client() {
        return new TreadleClient(conf, gateway, hooks);
    }

    private JobSpec spec(String more) {
        return JobSpecParser.fromYaml(
                "mnist.yaml",
                "modelTag: mnist\ntotalSamples: 60000\n" + more
                        + "\ntasks: {worker: {count: 2, min: 1, vcores: 2, memory: 1Gi, command: python3 train.py}}");
    }

    @Test
    void submitsWhatTheSchedulerAndTheApplicationMasterNeed() throws Exception {
        Path data = Files.writeString(directory.resolve("data.txt"), "42");
        Path code = Files.writeString(directory.resolve("code.zip"), "zip");
        JobSpec spec = spec("files: ['" + data + "#numbers']\narchives: ['" + code + "']");

        assertEquals(FakeGateway.ID, client().submit(spec));

        ApplicationSubmissionContext context = gateway.submitted.get(0);
        assertEquals("TREADLE", context.getApplicationType());
        assertEquals("mnist", context.getApplicationName());
        assertEquals("default", context.getQueue());
        assertEquals(Set.of("treadle"), context.getApplicationTags());
        assertEquals(2, context.getMaxAppAttempts());
        assertEquals(600_000, context.getAttemptFailuresValidityInterval());
        assertTrue(context.getKeepContainersAcrossApplicationAttempts());
        assertEquals(512, context.getResource().getMemorySize());

        GangSpec gang = GangSpec.fromProperties(context.getApplicationSchedulingPropertiesMap());
        assertEquals("mnist", gang.modelTag());
        assertEquals(60_000, gang.totalSamples());
        assertTrue(gang.elastic());
        assertEquals(1, gang.groups().get(0).min());
        assertEquals(2, gang.groups().get(0).max());
        assertEquals(2, gang.groups().get(0).resources().vcores());

        ContainerLaunchContext launch = context.getAMContainerSpec();
        assertEquals(
                Map.of(ApplicationAccessType.VIEW_APP, "ann staff", ApplicationAccessType.MODIFY_APP, "ann"),
                launch.getApplicationACLs());
        Map<String, LocalResource> resources = launch.getLocalResources();
        assertEquals(Set.of("treadle-am.jar", "job.json", "treadle-client.xml"), resources.keySet());
        assertEquals(7, Objects.requireNonNull(resources.get("treadle-am.jar")).getSize());
        assertEquals(
                jobDirectory().toString(),
                org.apache.hadoop.fs.Path.getPathWithoutSchemeAndAuthority(new org.apache.hadoop.fs.Path(
                                Objects.requireNonNull(launch.getEnvironment().get("TREADLE_APP_STAGING"))))
                        .toString());
        String classPath = Objects.requireNonNull(launch.getEnvironment().get("CLASSPATH"));
        assertTrue(classPath.startsWith("{{PWD}}<CPS>{{PWD}}/treadle-am.jar<CPS>"), classPath);
        assertTrue(classPath.endsWith("<CPS>/opt/more.jar"), classPath);
        assertEquals(
                List.of(
                        "{{JAVA_HOME}}/bin/java -Xmx307m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -XX:TieredStopAtLevel=1"
                                + " -Dlog4j.configuration=treadle-log4j.properties <ADD_OPENS>"
                                + " io.treadle.am.master.TreadleAppMaster 1><LOG_DIR>/AppMaster.stdout"
                                + " 2><LOG_DIR>/AppMaster.stderr"),
                launch.getCommands());

        assertEquals(
                spec, JobSpecParser.fromJson(Files.readString(jobDirectory().resolve("job.json"))));
        assertEquals("42", Files.readString(jobDirectory().resolve("files/numbers")));
        assertEquals("zip", Files.readString(jobDirectory().resolve("archives/code.zip")));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(jobDirectory())));
        Configuration shipped = new Configuration(false);
        shipped.addResource(new org.apache.hadoop.fs.Path(
                jobDirectory().resolve("treadle-client.xml").toUri()));
        assertEquals("/opt/more.jar", shipped.get(ClientConf.AM_EXTRA_CLASSPATH));
        assertEquals(List.of(), hooks.hooks);
    }

    @Test
    void secretsTravelInTheCredentialsAndOnlyTheDigestElsewhere() throws Exception {
        client().submit(spec(""));
        ApplicationSubmissionContext context = gateway.submitted.get(0);
        Credentials credentials = credentials(context.getAMContainerSpec().getTokens());
        String zkSecret = new String(credentials.getSecretKey(new Text("treadle.zk-secret")), UTF_8);
        String jobSecret = new String(credentials.getSecretKey(new Text("treadle.job-secret")), UTF_8);
        assertTrue(zkSecret.matches("[0-9a-f]{64}"));
        assertTrue(jobSecret.matches("[0-9a-f]{64}"));
        assertFalse(zkSecret.equals(jobSecret));
        assertEquals(
                DigestAuthenticationProvider.generateDigest(FakeGateway.ID + ":" + zkSecret),
                GangSpec.fromProperties(context.getApplicationSchedulingPropertiesMap())
                        .zkDigest());
        try (Stream<Path> files = Files.walk(jobDirectory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String content = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
                assertFalse(content.contains(zkSecret) || content.contains(jobSecret), file.toString());
            }
        }
    }

    private static Credentials credentials(ByteBuffer tokens) throws IOException {
        Credentials credentials = new Credentials();
        DataInputByteBuffer in = new DataInputByteBuffer();
        in.reset(tokens.duplicate());
        credentials.readTokenStorageStream(new DataInputStream(in));
        return credentials;
    }

    @Test
    void aRefusedSubmissionLeavesNothing() throws IOException {
        gateway.onSubmit = () -> {
            throw new YarnException("Failed to submit application_1_0001 to YARN : the gang needs 16 GPUs");
        };
        assertEquals("the job could not be submitted: the gang needs 16 GPUs", refusal(spec("")));
        assertNothingLeft();
        assertEquals(List.of(FakeGateway.ID), gateway.killed);
    }

    @Test
    void aLostConnectionLeavesNothingAndNeitherDoesATakenDirectory() throws IOException {
        Path good = Files.writeString(directory.resolve("good"), "1");
        JobSpec spec = spec(
                "files: ['" + good + "#a']\narchives: ['" + Files.writeString(directory.resolve("x.zip"), "z") + "']");
        gateway.onSubmit = () -> {
            throw new IOException("connection lost");
        };
        assertEquals("the job could not be submitted: connection lost", refusal(spec));
        assertNothingLeft();

        Files.writeString(jobDirectory(), "in the way");
        gateway.submitted.clear();
        assertTrue(refusal(spec).contains("is there already"));
        assertEquals(List.of(), gateway.submitted);
    }

    @Test
    void aProcessThatEndsWhileYarnDecidesLeavesNothing() throws IOException {
        gateway.onSubmit = () -> {
            Thread ending = new Thread(hooks::processEnds);
            ending.start();
            try {
                // The hook interrupts us, as Hadoop's own client would be interrupted in its wait.
                ending.join();
            } catch (InterruptedException e) {
                throw new YarnException("Interrupted while waiting for application", e);
            }
        };
        refusal(spec(""));
        awaitNothingLeft();
        assertTrue(gateway.killed.contains(FakeGateway.ID));
    }

    @Test
    void aProcessThatHasBegunToEndSubmitsNothing() throws IOException {
        TreadleClient ending = new TreadleClient(conf, gateway, hook -> {
            hook.run();
            return () -> {};
        });
        JobSpec spec = spec("");
        ClientException e = assertThrows(ClientException.class, () -> ending.submit(spec));
        assertTrue(e.getMessage().contains("was interrupted; nothing is left of it"), e.getMessage());
        assertNothingLeft();
        assertEquals(List.of(), gateway.submitted);
    }

    @Test
    void aProcessThatEndsAfterAcceptanceKeepsTheJob() {
        FakeHooks late = new FakeHooks();
        new TreadleClient(conf, gateway, late).submit(spec(""));
        late.processEnds();
        assertTrue(Files.exists(jobDirectory().resolve("job.json")));
        assertEquals(List.of(), gateway.killed);
    }

    @Test
    void whatAKilledClientLeftGoesWithTheNextSubmission() throws IOException {
        Path left = Files.createDirectories(staging().resolve("application_1600000000000_0007"));
        Path half = Files.writeString(left.resolve("treadle-am.jar"), "half a j");
        Path life = Files.writeString(left.resolve("uploading"), "");
        Path others = Files.createDirectories(staging().resolve("not-an-application"));

        submitAgain();
        assertTrue(Files.exists(left), "a young directory may be of a client at work");

        age(others, left);
        submitAgain();
        assertTrue(Files.exists(half), "its client was seen a moment ago, at one long file");

        age(life);
        submitAgain();
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(others));
    }

    /** All who may write to the directory above could put another job in the place of this one. */
    @Test
    void directoryThatOthersMayChangeIsNoPlaceForAJob() throws IOException {
        Path above = Files.createDirectories(staging());
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxrwxrwx"));
        String refused = String.valueOf(assertThrows(ClientException.class, () -> client().submit(spec("")))
                .getMessage());
        assertTrue(
                refused.contains("directory file:" + above + " for staging belongs to "
                        + System.getProperty("user.name") + " and has the permissions rwxrwxrwx: others could put"),
                refused);
        assertEquals(List.of(), gateway.submitted);
        chmod(above, "1777");
        submitAgain();
        chmod(above, "755");
        submitAgain();
    }

    @Test
    void directoryOfAnotherUserIsNoPlaceForAJob() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a directory away");
        Path above = Files.createDirectories(staging());
        Files.setOwner(
                above, above.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        for (String mode : List.of("755", "1777")) {
            chmod(above, mode);
            String refused = String.valueOf(assertThrows(ClientException.class, () -> client().submit(spec("")))
                    .getMessage());
            assertTrue(refused.contains(" for staging belongs to nobody and has the permissions "), refused);
            assertTrue(refused.contains("\nIt must belong to root or to whom '/' belongs, and be writable"), refused);
        }
        assertEquals(List.of(), gateway.submitted);
    }

    /** Hadoop's own way: Java's knows no sticky bit. */
    private void chmod(Path path, String mode) throws IOException {
        org.apache.hadoop.fs.Path of = new org.apache.hadoop.fs.Path(path.toUri());
        of.getFileSystem(conf).setPermission(of, new FsPermission(mode));
    }

    /** What another user has put beside them is neither read nor removed. */
    @Test
    void directoriesOfOthersAreNotLookedAt() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a directory away");
        Path left = Files.createDirectories(staging().resolve("application_1600000000000_0007"));
        Files.setOwner(
                left, left.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        age(left);
        submitAgain();
        assertTrue(Files.exists(left));
    }

    @Test
    void jobsOfAnotherClusterInTheSameHomeAreLeftAlone() throws IOException {
        Path left = Files.createDirectories(staging().resolve("application_1600000000000_0007"));
        Configuration other = new Configuration(false);
        other.set("yarn.resourcemanager.address", "another:8032");
        try (OutputStream out = Files.newOutputStream(left.resolve("treadle-client.xml"))) {
            other.writeXml(out);
        }
        age(left);
        submitAgain();
        assertTrue(Files.exists(left), "that cluster may be running it");
        try (OutputStream out = Files.newOutputStream(left.resolve("treadle-client.xml"))) {
            conf.writeXml(out);
        }
        age(left);
        submitAgain();
        assertFalse(Files.exists(left));
    }

    @Test
    void whatAJobLeftThatNobodyFollowedGoesToo() throws IOException {
        Path left = Files.createDirectories(staging().resolve("application_1600000000000_0007"));
        Path checkpoint = Files.createDirectories(left.resolve("checkpoints")).resolve("step-7");
        Files.writeString(checkpoint, "weights");
        Path job = Files.writeString(left.resolve("job.json"), "{}");
        age(left);
        gateway.reports.add(FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, ""));
        submitAgain();
        assertTrue(Files.exists(job), "it is not over");

        age(left);
        gateway.reports.clear();
        gateway.reports.add(FakeGateway.report(YarnApplicationState.FAILED, FinalApplicationStatus.FAILED, ""));
        submitAgain();
        assertFalse(Files.exists(job));
        assertTrue(Files.exists(checkpoint), "another job can start from it");
    }

    private void submitAgain() {
        client().submit(spec(""));
        client().kill(FakeGateway.ID);
    }

    /** Makes them older than any client at work would leave them. */
    private static void age(Path... files) throws IOException {
        for (Path file : files) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofMinutes(11))));
        }
    }

    @Test
    void aMissingModelIsNamedAsItsServiceNamesIt() throws IOException {
        Path file = directory.resolve("service.yaml");
        Files.writeString(
                file,
                """
                models: {double: {file: nowhere.onnx}}
                workflows:
                  one:
                    inputs: {x: "FP32[any, 1]"}
                    tasks: {one: {model: double, inputs: {x: x}}}
                    outputs: {y: one.y}
                """);
        ServiceFile service = ServiceFile.read(file);
        String expected =
                "'" + directory.resolve("nowhere.onnx") + "' of 'models.double.file' does not exist.\nMaybe check"
                        + " the path: a relative one starts at the directory of the file that names it, on a command line at the"
                        + " current one.";
        assertEquals(
                expected,
                assertThrows(ClientException.class, () -> client().check(service))
                        .getMessage());
        assertEquals(
                expected,
                assertThrows(ClientException.class, () -> client().serve(service, "{}"))
                        .getMessage());
        Files.createDirectory(directory.resolve("nowhere.onnx"));
        assertEquals(
                "'" + directory.resolve("nowhere.onnx") + "' of 'models.double.file' is a directory, must be a file.",
                assertThrows(ClientException.class, () -> client().check(service))
                        .getMessage());
        assertEquals(List.of(), gateway.submitted);
    }

    @Test
    void missingFilesAreFoundBeforeAnythingIsUploaded() {
        assertEquals(
                "'/no/such/file' of 'files' does not exist.\nMaybe check the path: a relative one starts at the"
                        + " directory of the file that names it, on a command line at the current one.",
                refusal(spec("files: [/no/such/file]")));
        assertEquals(
                "'" + directory + "' of 'files' is a directory, must be a file.\nMaybe pack it and list it under"
                        + " 'archives'.",
                refusal(spec("files: ['" + directory + "#folder']")));
        assertEquals(List.of(), gateway.submitted);
        assertFalse(Files.exists(staging()));
    }

    @Test
    void aMissingJarIsNamed() {
        conf.set(ClientConf.AM_JAR, "/no/such.jar");
        assertEquals(
                "treadle.am.jar is '/no/such.jar', must be the path of treadle-am.jar on this host.",
                refusal(spec("")));
    }

    @Test
    void aWrongSettingOfTheApplicationMasterIsNamedBeforeAnythingIsUploaded() {
        conf.set("treadle.am.heartbeat-ms", "soon");
        assertEquals(
                "treadle.am.heartbeat-ms is 'soon', must be a number from 50 to 60000",
                assertThrows(IllegalArgumentException.class, () -> client().submit(spec("")))
                        .getMessage());
        assertFalse(Files.exists(staging()));
    }

    @Test
    void followsToTheEndAndCleansUp() throws Exception {
        TreadleClient client = client();
        client.submit(spec(""));
        gateway.reports.add(FakeGateway.report(YarnApplicationState.ACCEPTED, FinalApplicationStatus.UNDEFINED, ""));
        gateway.reports.add(FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, ""));
        gateway.reports.add(FakeGateway.report(YarnApplicationState.FINISHED, FinalApplicationStatus.SUCCEEDED, ""));
        List<YarnApplicationState> seen = new ArrayList<>();
        JobStatus last = client.follow(FakeGateway.ID, status -> seen.add(status.state()));
        assertTrue(last.succeeded());
        assertEquals(
                List.of(YarnApplicationState.ACCEPTED, YarnApplicationState.RUNNING, YarnApplicationState.FINISHED),
                seen);
        assertNothingLeft();
    }

    @Test
    void checkpointsOfAFailedJobStay() throws Exception {
        TreadleClient client = client();
        client.submit(spec(""));
        Files.createDirectories(jobDirectory().resolve("checkpoints"));
        Path checkpoint = Files.writeString(jobDirectory().resolve("checkpoints/step-7"), "weights");
        gateway.reports.add(FakeGateway.report(YarnApplicationState.FINISHED, FinalApplicationStatus.FAILED, "oops"));
        JobStatus last = client.follow(FakeGateway.ID, status -> {});
        assertFalse(last.succeeded());
        assertTrue(Files.exists(checkpoint));
        assertFalse(Files.exists(jobDirectory().resolve("job.json")));
    }

    @Test
    void archivesKeepTheEndingThatYarnUnpacksThemBy() throws IOException {
        Path code = Files.writeString(directory.resolve("code.tar.gz"), "tar");
        client().submit(spec("archives: ['" + code + "#src']"));
        assertEquals("tar", Files.readString(jobDirectory().resolve("archives/src.tar.gz")));
    }

    @Test
    void killRemovesTheFiles() throws IOException {
        TreadleClient client = client();
        client.submit(spec(""));
        client.kill(FakeGateway.ID);
        assertEquals(List.of(FakeGateway.ID), gateway.killed);
        assertNothingLeft();
    }

    @Test
    void unknownApplicationsAreReported() {
        ClientException error = assertThrows(ClientException.class, () -> client().report(FakeGateway.ID));
        assertEquals(
                FakeGateway.ID + " could not be looked up: Application with id '" + FakeGateway.ID
                        + "' doesn't exist in RM.",
                error.getMessage());
    }

    private String refusal(JobSpec spec) {
        return assertThrows(ClientException.class, () -> client().submit(spec)).getMessage();
    }

    private void assertNothingLeft() throws IOException {
        if (Files.exists(staging())) {
            try (Stream<Path> files = Files.list(staging())) {
                assertEquals(List.of(), files.toList());
            }
        }
    }

    /** The hook may still be at work in its own thread. */
    private void awaitNothingLeft() throws IOException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (Files.exists(jobDirectory()) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertNothingLeft();
    }
}
