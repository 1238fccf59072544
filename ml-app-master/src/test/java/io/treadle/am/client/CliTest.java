// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.treadle.am.conf.ClientConf;
import io.treadle.am.protocol.HttpLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CliTest {
    private static final String ID = FakeGateway.ID.toString();

    private final FakeGateway gateway = new FakeGateway();
    private final FakeHooks hooks = new FakeHooks();
    private final Configuration conf = new Configuration();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    CliTest(@TempDir Path directory) throws IOException {
        conf.set(
                ClientConf.AM_JAR,
                Files.writeString(directory.resolve("am.jar"), "jar").toString());
        conf.set(ClientConf.STAGING_DIR, directory.resolve("staging").toUri().toString());
        conf.setInt(ClientConf.POLL_INTERVAL_MS, 50);
        conf.setInt(ClientConf.STATUS_TIMEOUT_MS, 60_000);
    }

    private int run(String... arguments) {
        return run(false, arguments);
    }

    private int run(boolean terminal, String... arguments) {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), terminal);
        return new Cli(
                        conf,
                        console,
                        settings -> new TreadleClient(settings, gateway, new FakeHooks()),
                        hooks,
                        InstantSource.fixed(Instant.ofEpochMilli(62_000)))
                .run(List.of(arguments));
    }

    private void states(YarnApplicationState... states) {
        for (YarnApplicationState state : states) {
            gateway.reports.add(FakeGateway.report(
                    state,
                    FinalApplicationStatus.UNDEFINED,
                    state == YarnApplicationState.ACCEPTED
                            ? "[Sat Nov 21 12:36:41 +0000 2026] Gang 0/2: 1 GPU free.  Details : much more"
                            : ""));
        }
    }

    @Test
    void followsAJobToItsSuccess() {
        states(YarnApplicationState.ACCEPTED, YarnApplicationState.ACCEPTED, YarnApplicationState.RUNNING);
        gateway.reports.add(FakeGateway.report(YarnApplicationState.FINISHED, FinalApplicationStatus.SUCCEEDED, ""));
        assertEquals(0, run("--workers", "2", "-D", "treadle.application-tags=nightly", "--", "true"));
        assertEquals(
                ID + " accepted: true, 2 workers × (1 vcore, 2048 MiB)\n" + ID
                        + "  01:01  waiting, Gang 0/2: 1 GPU free\n" + ID + "  01:01  running\n" + ID
                        + " succeeded after 01:12\n",
                err.toString(UTF_8));
        assertTrue(gateway.submitted.get(0).getApplicationTags().contains("nightly"));
        assertTrue(gateway.closed);
        assertEquals(List.of(), hooks.hooks);
    }

    @Test
    void aTerminalsLineIsRewritten() {
        states(YarnApplicationState.RUNNING, YarnApplicationState.RUNNING);
        gateway.reports.add(FakeGateway.report(YarnApplicationState.FINISHED, FinalApplicationStatus.SUCCEEDED, ""));
        assertEquals(0, run(true, "--", "true"));
        String line = "\r" + ID + "  01:01  running\u001b[K";
        assertTrue(err.toString(UTF_8).contains(line + line + "\n" + ID + " succeeded"), err.toString(UTF_8));
    }

    @Test
    void aFailedJobShowsItsLastWords() {
        gateway.reports.add(FakeGateway.report(
                YarnApplicationState.FINISHED,
                FinalApplicationStatus.FAILED,
                "worker 0 exited with 1:\nModuleNotFoundError: No module named 'torch'"));
        assertEquals(1, run("--", "python3", "train.py"));
        assertTrue(
                err.toString(UTF_8)
                        .endsWith("treadle: " + ID + " failed after 01:12:\nworker 0 exited with 1:\n"
                                + "ModuleNotFoundError: No module named 'torch'\n"
                                + "Maybe its logs say more: yarn jar treadle-am.jar logs " + ID + "\n"),
                err.toString(UTF_8));
    }

    @Test
    void detachPrintsTheIdAlone() {
        assertEquals(0, run("--detach", "--", "true"));
        assertEquals(ID + "\n", out.toString(UTF_8));
        assertEquals("", err.toString(UTF_8));
    }

    @Test
    void dryRunSubmitsNothing() {
        assertEquals(0, run("--dry-run", "--", "true"));
        assertTrue(out.toString(UTF_8).startsWith("{\n  \"version\" : 1,"));
        assertEquals(
                "ok: the cluster can run this job, 1 worker × (1 vcore, 2048 MiB); nothing was submitted\n",
                err.toString(UTF_8));
        assertEquals(List.of(), gateway.submitted);
    }

    @Test
    void mistakesGetTheirOwnExitCode() {
        assertEquals(2, run("--worker", "1"));
        assertEquals(2, run("--workers", "0", "--", "x"));
        assertEquals(2, run("--gpus", "1", "--", "x"));
        assertEquals(2, run("no-such.yaml"));
        assertEquals(2, run("status", "application_1"));
        assertEquals(2, run("status"));
        assertEquals(2, run("status", ID, ID));
        assertEquals(2, run("kill", ID, "--", "x"));
        assertEquals(2, run("top", ID));
        assertEquals(2, run("status", "--all", ID));
        assertEquals(2, run("-D", "nonsense", "--", "x"));
        assertEquals(2, run("-D", "treadle.application-tags=treadle.dev.x", "--", "x"));
        assertEquals(2, run());
        assertEquals(List.of(), gateway.submitted);
        err.toString(UTF_8).lines().forEach(line -> assertTrue(line.matches("(treadle: |Maybe ).*"), line));
    }

    @Test
    void statusShowsWhatYarnKnows() {
        states(YarnApplicationState.ACCEPTED);
        assertEquals(0, run("status", ID));
        assertTrue(out.toString(UTF_8).contains("state         ACCEPTED\n"), out.toString(UTF_8));
        assertTrue(out.toString(UTF_8).contains("Gang 0/2: 1 GPU free."), out.toString(UTF_8));
    }

    @Test
    void explainSaysWhyItWaitsOrHowItEnded() {
        conf.set("yarn.resourcemanager.webapp.address", "localhost:1");
        states(YarnApplicationState.ACCEPTED);
        assertEquals(0, run("explain", ID));
        gateway.reports.clear();
        gateway.reports.add(FakeGateway.report(
                YarnApplicationState.FINISHED, FinalApplicationStatus.FAILED, "worker 0 exited with 1"));
        assertEquals(0, run("explain", ID));
        assertEquals(
                "mnist (root.default): waiting\n [Sat Nov 21 12:36:41 +0000 2026] Gang 0/2: 1 GPU free.  Details : much"
                        + " more\n that is all that YARN knows: the ResourceManager's web address cannot be reached:"
                        + " Connection refused.\nmnist (root.default): over, failed\n worker 0 exited with 1\n",
                out.toString(UTF_8));
    }

    @Test
    void killsWhatRunsAndOnlyThat() {
        states(YarnApplicationState.RUNNING);
        assertEquals(0, run("kill", ID));
        assertEquals(List.of(FakeGateway.ID), gateway.killed);
        gateway.reports.clear();
        gateway.reports.add(FakeGateway.report(YarnApplicationState.KILLED, FinalApplicationStatus.KILLED, ""));
        assertEquals(0, run("kill", ID));
        assertEquals(1, gateway.killed.size());
        assertTrue(err.toString(UTF_8).endsWith(ID + " is over already: killed\n"));
    }

    @Test
    void topListsJobsOnce() {
        states(YarnApplicationState.ACCEPTED);
        assertEquals(0, run("top"));
        String row = out.toString(UTF_8).lines().toList().get(1);
        assertTrue(row.matches(ID + " +mnist +ada +root.default +waiting +0 % +– +Gang 0/2: 1 GPU free"), row);
    }

    /** Its owner names a job as he likes, with any client. */
    @Test
    void namesAndReasonsOfOthersCommandNoTerminal() {
        String evil = "a\u001b]0;OWNED\u0007\u009b2J\u202e";
        for (String command : List.of("top", "status", "explain", "kill")) {
            gateway.reports.clear();
            gateway.reports.add(FakeGateway.report(
                    YarnApplicationState.ACCEPTED, FinalApplicationStatus.UNDEFINED, evil + "\n" + evil));
            gateway.reports.element().setName(evil + "\n" + ID + " forged");
            gateway.reports.element().setUser(evil);
            gateway.reports.element().setQueue(evil);
            int code = command.equals("top") ? run("top") : run(command, ID.toString());
            assertEquals(0, code, command);
        }
        gateway.reports.clear();
        gateway.reports.add(FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, "N/A"));
        gateway.reports.element().setUser(evil);
        assertEquals(2, run("status", ID.toString()));
        String all = out.toString(UTF_8) + err.toString(UTF_8);
        assertTrue(all.contains("a\\x1b]0;OWNED\\x07\\x9b2J\\u202e"), all);
        assertTrue(all.chars().allMatch(c -> c == '\n' || (!Character.isISOControl(c) && c != 0x202e)), all);
        assertTrue(all.lines().noneMatch(line -> line.startsWith(ID + " forged")), all);
    }

    @Test
    void topShowsWorkflowsAndWorkersOfServices() throws Exception {
        byte[] status = ServiceTextTest.status().getBytes(UTF_8);
        HttpServer master = HttpLimits.newServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        master.createContext("/status.json", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, status.length);
                exchange.getResponseBody().write(status);
            }
        });
        master.start();
        try {
            states(YarnApplicationState.RUNNING);
            gateway.reports
                    .element()
                    .setTrackingUrl("http://127.0.0.1:" + master.getAddress().getPort());
            assertEquals(0, run("top"));
        } finally {
            master.stop(0);
        }
        List<String> lines = out.toString(UTF_8).lines().toList();
        assertTrue(lines.get(1).endsWith("  1 of 3 workers, 100 queries, p95 95 ms, 95 % hits"), lines::toString);
        assertEquals(ID + " mnist: 4 queries on their way", lines.get(3));
        assertTrue(lines.get(5).matches("  recognise +100 +2 +1 +50\\.5 +95\\.0"), lines::toString);
        assertTrue(lines.get(7).matches("  container_1 +node1 +ready +15\\.0 +2 +95 %  encoder"), lines::toString);
    }

    @Test
    void helpAndVersion() {
        assertEquals(0, run("--help"));
        assertEquals(0, run("--version"));
        for (String option : SubmitRequest.GRAMMAR.single()) {
            assertTrue(Help.TEXT.contains("  " + option + " "), option + " is not in the help");
        }
        for (String command : Cli.COMMANDS.subList(1, Cli.COMMANDS.size())) {
            out.reset();
            assertEquals(0, run(command, "--help"));
            assertTrue(out.toString(UTF_8).startsWith("yarn jar treadle-am.jar " + command), out.toString(UTF_8));
        }
    }
}
