// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WorkerCommand;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runners as real processes, workers as real shells, and an ApplicationMaster in this JVM that says what the test wants. */
class WorkerRunnerTest {
    private final Path directory;
    private final Path control;
    private ScriptedMaster master;
    private Optional<Process> runner = Optional.empty();

    WorkerRunnerTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        control = Files.createDirectories(directory.resolve("control"));
        master = ScriptedMaster.start();
        writeSizes(control, 0, 2, ResourcesFile.DeviceState.READY);
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (runner.isPresent()) {
            runner.get().destroyForcibly().waitFor();
        }
        master.close();
    }

    private static void writeSizes(Path control, int version, long vcores, ResourcesFile.DeviceState state)
            throws IOException {
        AtomicFile.write(
                control.resolve(ResourcesFile.NAME),
                new ResourcesFile(
                                version,
                                vcores,
                                null,
                                512,
                                0,
                                0,
                                0,
                                List.of(new ResourcesFile.Device("GPU-1", 1024, state)))
                        .toJson());
    }

    private void launch(boolean controlled) throws IOException {
        launch(controlled, Map.of());
    }

    /** @param further variables of the container */
    private void launch(boolean controlled, Map<String, String> further) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerRunner.class.getName());
        Map<String, String> env = builder.environment();
        env.put(RunnerProtocol.ENV_CONTAINER_ID, "c1");
        env.put(RunnerProtocol.ENV_AM_ADDRESS, "localhost:" + master.port());
        env.put(RunnerProtocol.ENV_CREDENTIALS_FILE, credentials().toString());
        env.put(RunnerProtocol.ENV_LOG_DIR, directory.resolve("logs").toString());
        env.put(RunnerProtocol.ENV_STOP_GRACE_SECONDS, "5");
        env.remove("TREADLE_CPU_CGROUP");
        if (controlled) {
            env.put("TREADLE_CONTROL_DIR", control.toString());
        } else {
            env.remove("TREADLE_CONTROL_DIR");
        }
        env.putAll(further);
        builder.directory(Files.createDirectories(directory.resolve("work")).toFile());
        builder.redirectErrorStream(true);
        builder.redirectOutput(directory.resolve("runner.log").toFile());
        runner = Optional.of(builder.start());
    }

    /** As a NodeManager writes it, which is by Hadoop's own hand. */
    private Path credentials() throws IOException {
        Credentials credentials = new Credentials();
        credentials.addToken(
                new Text("hdfs"), new Token<>(new byte[200], new byte[20], new Text("KIND"), new Text("host:8020")));
        credentials.addSecretKey(new Text("another"), new byte[300]);
        credentials.addSecretKey(
                new Text(RunnerProtocol.JOB_SECRET), ScriptedMaster.SECRET.getBytes(StandardCharsets.UTF_8));
        Path file = directory.resolve("container_tokens");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            credentials.writeTokenStorageToStream(out);
        }
        return file;
    }

    private static Assignment assignment(String command) {
        return new Assignment(
                1,
                4,
                "worker",
                1,
                4,
                "node7",
                4567,
                2,
                3,
                "application_1_1",
                command,
                "/ck",
                Map.of("MINE", "yes"),
                Map.of(),
                -1);
    }

    private String log(String name) throws IOException {
        return Files.readString(directory.resolve("logs").resolve(name));
    }

    @Test
    void startsTheCommandWithItsPlaceInTheGangAndTellsItsEnd() throws Exception {
        launch(true);
        ReportMessage waiting = master.awaitReport(r -> r.state() == ReportMessage.State.WAITING && r.epoch() == 1);
        assertTrue(waiting.masterPort() > 0);
        master.say(Directive.run(
                1,
                assignment("env | sort; echo to-stderr >&2; "
                        + "python3 -c 'import treadle_worker' 2>/dev/null && echo has-helper; exit 3")));
        FinishedMessage finished = master.awaitFinished();
        assertEquals(3, finished.exitCode());
        assertEquals(1, finished.epoch());
        assertEquals(List.of("to-stderr"), finished.stderrTail());
        String out = log("stdout");
        for (String expected : List.of(
                "RANK=1",
                "WORLD_SIZE=4",
                "LOCAL_RANK=0",
                "LOCAL_WORLD_SIZE=1",
                "GROUP_RANK=1",
                "MASTER_ADDR=node7",
                "MASTER_PORT=4567",
                "TORCHELASTIC_RESTART_COUNT=2",
                "TORCHELASTIC_RUN_ID=application_1_1",
                "CUDA_VISIBLE_DEVICES=GPU-1",
                "TREADLE_CHECKPOINT_DIR=/ck",
                "MINE=yes")) {
            assertTrue(out.contains(expected + "\n"), expected + " is missing in:\n" + out);
        }
        assertFalse(out.contains(ScriptedMaster.SECRET), "the worker must not see the job's secret");
        master.say(Directive.exit(1));
        assertTrue(runner.orElseThrow().waitFor(2, TimeUnit.MINUTES));
        assertEquals(0, runner.get().exitValue());
    }

    @Test
    void waitsForDevicesAndReportsSizes() throws Exception {
        writeSizes(control, 0, 2, ResourcesFile.DeviceState.PENDING);
        launch(true);
        master.say(Directive.run(1, assignment("exec sleep 60")));
        ReportMessage pending = master.awaitReport(r -> r.epoch() == 1);
        assertEquals(ReportMessage.State.WAITING, pending.state());
        writeSizes(control, 1, 2, ResourcesFile.DeviceState.READY);
        master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING);
        writeSizes(control, 2, 5, ResourcesFile.DeviceState.READY);
        ReportMessage resized =
                master.awaitReport(r -> r.sizes().map(ResourcesFile::vcores).orElse(0L) == 5);
        assertEquals(2, resized.sizes().orElseThrow().version());
        Files.delete(control.resolve(ResourcesFile.NAME));
        int seen = master.reports();
        ReportMessage kept = master.awaitReport(r -> master.reports() > seen + 1);
        assertEquals(5, kept.sizes().orElseThrow().vcores());
    }

    /** As in a container into which the directory is not mounted. */
    @Test
    void hiddenControlDirectoryIsSaidAtOnceAndTheSizesComeFromTheApplicationMaster() throws Exception {
        Path hidden = directory.resolve("not-mounted");
        launch(true, Map.of("TREADLE_CONTROL_DIR", hidden.toString()));
        master.say(Directive.run(1, assignment("cat $TREADLE_CONTROL_DIR/resources.json; exec sleep 60"))
                .withSizes(Optional.of(new ResourcesFile(3, 7, null, 512, 0, 0, 0, List.of()))));
        master.awaitReport(r -> r.controlled() && r.problems().containsKey(ReportMessage.CONTROL_DIRECTORY_HIDDEN));
        String said = Files.readString(directory.resolve("runner.log"));
        assertTrue(said.contains("the control directory " + hidden + " cannot be seen from here.\nMaybe"), said);
        ReportMessage running = master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING);
        assertFalse(running.controlled());
        assertEquals(7, running.sizes().orElseThrow().vcores());
    }

    @Test
    void workerDoesNotStartOutsideTheImageThatItsJobAsksFor() throws Exception {
        launch(
                true,
                Map.of(
                        "TREADLE_CONTAINER_RUNTIME", "docker",
                        "TREADLE_CONTAINER_IMAGE", "train:1",
                        "TREADLE_IMAGE_IGNORED", "true"));
        master.say(Directive.run(1, assignment("exec sleep 60")));
        FinishedMessage finished = master.awaitFinished();
        assertEquals(1, finished.exitCode());
        assertTrue(
                finished.stderrTail().get(0).startsWith("the job asks for the image train:1"),
                finished.stderrTail()::toString);
    }

    @Test
    void devicesAreNamedByTheVariablesThatTheNodeNames() throws Exception {
        launch(true, Map.of("TREADLE_DEVICE_VARIABLES", "ROCR_VISIBLE_DEVICES,OTHER", "ROCR_VISIBLE_DEVICES", "old"));
        master.say(Directive.run(1, assignment("env; exit 3")));
        master.awaitFinished();
        String out = log("stdout");
        assertTrue(out.contains("ROCR_VISIBLE_DEVICES=GPU-1\n") && out.contains("OTHER=GPU-1\n"), out);
        assertFalse(out.contains("CUDA_VISIBLE_DEVICES=GPU-1"), out);
    }

    @Test
    void writesTheSizesItselfWhereTheNodeDoesNot() throws Exception {
        launch(false);
        master.say(Directive.run(1, assignment("cat $TREADLE_CONTROL_DIR/resources.json; exec sleep 60"))
                .withSizes(Optional.of(new ResourcesFile(3, 7, null, 512, 0, 0, 0, List.of()))));
        ReportMessage report = master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING);
        assertFalse(report.controlled());
        assertEquals(7, report.sizes().orElseThrow().vcores());
    }

    @Test
    void reportsProgressCpuTimeAndPassesCommands() throws Exception {
        launch(true);
        master.say(Directive.run(
                        1,
                        assignment("echo nonsense >> $TREADLE_PROGRESS_FILE;"
                                + " echo '{\"ts\":'$(date +%s)',\"step\":3,\"samples\":48,\"batchSize\":16}'"
                                + " >> $TREADLE_PROGRESS_FILE;"
                                + " until grep -q checkpoint $TREADLE_COMMAND_FILE 2>/dev/null; do :; done;"
                                + " for i in {1..300000}; do :; done;"
                                + " echo '{\"ts\":'$(date +%s)',\"step\":4,\"samples\":64,\"checkpoint\":\"ck-4\","
                                + "\"commandEpoch\":9}' >> $TREADLE_PROGRESS_FILE; exec sleep 60"))
                .withCommand(Optional.of(
                        new WorkerCommand(9, WorkerCommand.Command.CHECKPOINT, System.currentTimeMillis() + 60_000))));
        ReportMessage report = master.awaitReport(r -> r.answeredEpoch() == 9);
        assertEquals("ck-4", report.checkpoint());
        assertEquals(64, report.samples());
        assertEquals(16, report.batchSize());
        assertEquals(Map.of("malformed", 1L), report.problems());
        assertTrue(report.cpuSeconds() > 0, "CPU time " + report.cpuSeconds());
    }

    /** As under LinuxContainerExecutor: the group belongs to the NodeManager's user, and stays empty. */
    @Test
    void aCpuGroupThatCannotBeEnteredIsAsNone() throws Exception {
        Path group = Files.createDirectories(directory.resolve("group"));
        Files.createDirectory(group.resolve("cgroup.procs")); // Root may write every file.
        Files.writeString(group.resolve("cpuacct.usage"), "0\n");
        launch(true, Map.of("TREADLE_CPU_CGROUP", group.toString()));
        master.say(Directive.run(
                1,
                assignment("echo group=$TREADLE_CPU_CGROUP; for i in {1..300000}; do :; done; echo done;"
                        + " exec sleep 60")));
        ReportMessage report = master.awaitReport(r -> r.cpuSeconds() > 0);
        assertEquals(ReportMessage.State.RUNNING, report.state());
        ScriptedMaster.await("the worker's output", () -> log("stdout").contains("done"));
        assertTrue(log("stdout").startsWith("group=\n"), log("stdout"));
        assertFalse(log("stderr").contains("cannot enter"), log("stderr"));
        String said = Files.readString(directory.resolve("runner.log"));
        assertTrue(said.contains("the CPU cgroup " + group + " cannot be entered by this user"), said);
    }

    @Test
    void anotherStartStopsTheWorkerAndAllItsChildren() throws Exception {
        launch(true);
        master.say(Directive.run(
                1,
                assignment("trap 'echo got-term; exit 0' TERM; (trap '' TERM; exec sleep 987) & "
                        + "echo $! > child; while :; do sleep 0.1; done")));
        master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING);
        Path childFile = directory.resolve("work/child");
        ScriptedMaster.await("the child's pid", () -> Files.exists(childFile) && Files.size(childFile) > 1);
        long child = Long.parseLong(Files.readString(childFile).trim());
        master.say(Directive.waitFor(2));
        ReportMessage waiting = master.awaitReport(r -> r.epoch() == 2);
        assertEquals(ReportMessage.State.WAITING, waiting.state());
        assertTrue(log("stdout").contains("got-term"));
        ScriptedMaster.await(
                "the end of the worker's child",
                () -> ProcessHandle.of(child).map(p -> !p.isAlive()).orElse(true));
        master.say(Directive.run(2, assignment("echo again; exec sleep 60")));
        master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING && r.epoch() == 2);
        assertEquals(0, master.finishedCount());
    }

    @Test
    void noWorkerOutlivesARunnerThatIsKilled() throws Exception {
        launch(true);
        master.say(Directive.run(1, assignment("echo $$ > pid; exec sleep 987")));
        master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING);
        Path pidFile = directory.resolve("work/pid");
        ScriptedMaster.await("the worker's pid", () -> Files.exists(pidFile) && Files.size(pidFile) > 1);
        long worker = Long.parseLong(Files.readString(pidFile).trim());
        assertTrue(ProcessHandle.of(worker).isPresent());
        runner.orElseThrow().destroyForcibly().waitFor();
        ScriptedMaster.await(
                "the worker's end",
                () -> ProcessHandle.of(worker).map(p -> !p.isAlive()).orElse(true));
    }

    @Test
    void theWorkerRunsOnWhileItsMasterIsAwayAndFollowsTheNextOne() throws Exception {
        launch(true);
        master.say(Directive.run(1, assignment("exec sleep 60")));
        master.awaitReport(r -> r.state() == ReportMessage.State.RUNNING);
        int port = master.runnerPort();
        master.close();
        master = ScriptedMaster.start();
        master.say(Directive.run(1, assignment("exec sleep 60")));
        HttpClient client = HttpClient.newHttpClient();
        assertEquals(403, announce(client, port, "wrong"));
        assertEquals(204, announce(client, port, ScriptedMaster.SECRET));
        ReportMessage report = master.awaitReport(r -> true);
        assertEquals(ReportMessage.State.RUNNING, report.state());
        assertEquals(1, master.registrations());
    }

    @Test
    void theNextMasterIsToldOfAWorkerThatHasEnded() throws Exception {
        launch(true);
        master.say(Directive.run(1, assignment("exit 0")));
        master.awaitFinished();
        int port = master.runnerPort();
        master.close();
        master = ScriptedMaster.start();
        assertEquals(204, announce(HttpClient.newHttpClient(), port, ScriptedMaster.SECRET));
        assertEquals(0, master.awaitFinished().exitCode());
    }

    private int announce(HttpClient client, int port, String secret) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + RunnerProtocol.ANNOUNCE))
                .header(RunnerProtocol.SECRET_HEADER, secret)
                .POST(HttpRequest.BodyPublishers.ofString("localhost:" + master.port()))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test
    void aWorkerThatCannotBeStartedHasFailedAndSaysWhy() throws Exception {
        Files.createFile(directory.resolve("logs"));
        launch(true);
        master.say(Directive.run(1, assignment("exit 0")));
        FinishedMessage finished = master.awaitFinished();
        assertEquals(1, finished.exitCode());
        assertTrue(finished.stderrTail().get(0).startsWith("the worker cannot be started on "), finished.toString());
        assertTrue(
                finished.stderrTail().get(0).contains(directory.resolve("logs").toString()), finished.toString());
    }

    @Test
    void theEndOfAWorkerThatWasAskedToStopIsToldAsThat() throws Exception {
        launch(true);
        master.say(
                Directive.run(1, assignment("until grep -q stop $TREADLE_COMMAND_FILE 2>/dev/null; do sleep 0.1; done"))
                        .withCommand(Optional.of(new WorkerCommand(
                                9, WorkerCommand.Command.STOP, System.currentTimeMillis() + 60_000))));
        FinishedMessage finished = master.awaitFinished();
        assertTrue(finished.stopAsked());
        assertEquals(0, finished.exitCode());
    }

    @Test
    void aContainerThatIsNotTheJobsEndsItself() throws Exception {
        master.disown();
        launch(true);
        assertTrue(runner.orElseThrow().waitFor(2, TimeUnit.MINUTES));
        assertEquals(0, runner.get().exitValue());
    }
}
