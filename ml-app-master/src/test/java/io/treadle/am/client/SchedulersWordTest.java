// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.conf.ClientConf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} and {@code top} say what the scheduler says, and who may not view a job is told so. */
class SchedulersWordTest {
    private static final String ID = FakeGateway.ID.toString();
    private static final String JOBS = "/ws/v1/treadle/jobs";
    private static final String JOB = JOBS + "/" + ID;
    private static final String RECOVERED = "Attempt recovered after RM restart";

    private final FakeGateway gateway = new FakeGateway();
    private final Configuration conf = new Configuration();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final FakeResourceManager active;

    SchedulersWordTest(@TempDir Path directory) throws IOException {
        active = new FakeResourceManager();
        conf.set(
                ClientConf.AM_JAR,
                Files.writeString(directory.resolve("am.jar"), "jar").toString());
        conf.set(ClientConf.STAGING_DIR, directory.resolve("staging").toUri().toString());
        conf.setInt(ClientConf.POLL_INTERVAL_MS, 50);
    }

    @BeforeEach
    void oneResourceManager() {
        conf.set("yarn.resourcemanager.webapp.address", active.address());
    }

    @AfterEach
    void stop() {
        active.close();
    }

    private int run(String... arguments) {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new Cli(
                        conf,
                        console,
                        settings -> new TreadleClient(settings, gateway, new FakeHooks()),
                        new FakeHooks(),
                        InstantSource.fixed(Instant.ofEpochMilli(62_000)))
                .run(List.of(arguments));
    }

    private String said() {
        return out.toString(UTF_8);
    }

    private void reported(YarnApplicationState state, String diagnostics) {
        gateway.reports.add(FakeGateway.report(state, FinalApplicationStatus.UNDEFINED, diagnostics));
    }

    /** What YARN reports of a job that the caller may not view. */
    private void reportedToOthers() {
        ApplicationReport report =
                FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, "N/A");
        gateway.reports.add(report);
    }

    @Test
    void explainTellsTheSchedulersReasonAfterAFailover() {
        reported(YarnApplicationState.RUNNING, RECOVERED);
        active.answers(JOB, "{\"state\":\"waiting\",\"reason\":\"Gang 0/4: user ada may hold 8 GPUs\"}");
        assertEquals(0, run("explain", ID));
        assertTrue(said().contains(" Gang 0/4: user ada may hold 8 GPUs\n"), said());
        assertFalse(said().contains(RECOVERED), said());
    }

    @Test
    void topTellsTheSchedulersReasonAfterAFailover() {
        reported(YarnApplicationState.ACCEPTED, RECOVERED);
        active.answers(
                JOBS,
                "{\"jobs\":[{\"applicationId\":\"" + ID
                        + "\",\"state\":\"waiting\",\"reason\":\"Gang 0/4: 1 GPU free\"}]}");
        assertEquals(0, run("top"));
        String row = said().lines().toList().get(1);
        assertTrue(row.matches(ID + " +mnist +ada +root.default +waiting +0 % +– +Gang 0/4: 1 GPU free"), row);
    }

    @Test
    void followTellsTheSchedulersReasonAfterAFailover() {
        reported(YarnApplicationState.ACCEPTED, RECOVERED);
        reported(YarnApplicationState.ACCEPTED, RECOVERED);
        gateway.reports.add(FakeGateway.report(YarnApplicationState.FINISHED, FinalApplicationStatus.SUCCEEDED, ""));
        active.answers(JOB, "{\"state\":\"waiting\",\"reason\":\"Gang 0/4: 1 GPU free\"}");
        assertEquals(0, run("--", "true"));
        assertTrue(err.toString(UTF_8).contains("waiting, Gang 0/4: 1 GPU free\n"), err.toString(UTF_8));
        assertFalse(err.toString(UTF_8).contains(RECOVERED), err.toString(UTF_8));
    }

    @Test
    void topReadsNoPageOfAJobWhoseSpeedTheSchedulerKnows() {
        reported(YarnApplicationState.RUNNING, "");
        gateway.reports.element().setTrackingUrl("http://" + active.address() + "/proxy/" + ID);
        active.answers(
                JOBS,
                "{\"jobs\":[{\"applicationId\":\"" + ID + "\",\"state\":\"profiling\",\"reason\":\"has 2 GPUs\","
                        + "\"samplesPerSecond\":41.25,\"note\":\"profiling at 3 vcores\"}]}");
        assertEquals(0, run("top"));
        String row = said().lines().toList().get(1);
        assertTrue(row.matches(ID + " +mnist +ada +root.default +profiling +0 % +41.[23] +profiling at 3 vcores"), row);
        assertEquals(1, active.asked().size(), active.asked()::toString);
    }

    @Test
    void whoMayNotViewAJobIsToldSo() {
        reportedToOthers();
        active.refuses(JOB, 403, "ForbiddenException", "no");
        assertEquals(2, run("explain", ID));
        assertTrue(
                err.toString(UTF_8)
                        .startsWith("treadle: you may not view " + ID
                                + ", a job of user 'ada' in queue 'root.default'.\nMaybe "),
                err.toString(UTF_8));
        assertEquals("", said());
        assertEquals(2, run("status", ID));
        assertEquals("", said());
    }

    @Test
    void whomTheSchedulerRefusesIsToldSo() {
        reported(YarnApplicationState.RUNNING, "");
        active.refuses(JOB, 403, "ForbiddenException", "no");
        assertEquals(2, run("explain", ID));
        assertTrue(err.toString(UTF_8).startsWith("treadle: you may not view " + ID), err.toString(UTF_8));
    }

    @Test
    void topCountsJobsThatOneMayNotView() {
        reportedToOthers();
        assertEquals(0, run("top"));
        assertFalse(said().contains(ID), said());
        assertTrue(said().endsWith("1 more job, which you may not view\n"), said());
    }

    @Test
    void aResourceManagerWithoutTreadleIsNamed() {
        reported(YarnApplicationState.ACCEPTED, "Application is added to the scheduler.");
        assertEquals(0, run("explain", ID));
        assertTrue(said().contains(" Application is added to the scheduler.\n"), said());
        assertTrue(said().contains("the ResourceManager runs without Treadle."), said());
        active.refuses(JOB, 404, "NotFoundException", "HTTP 404 Not Found");
        out.reset();
        assertEquals(0, run("explain", ID));
        assertTrue(said().contains("the ResourceManager runs without Treadle."), said());
    }

    @Test
    void dryRunTakesNoApplicationId() {
        active.answers(
                "/ws/v1/cluster/scheduler",
                "{\"scheduler\":{\"schedulerInfo\":{\"maximumAllocation\":{\"memory\":4096,\"vCores\":3}}}}");
        assertEquals(0, run("--dry-run", "--vcores", "3", "--memory", "4Gi", "--", "true"));
        assertEquals(2, run("--dry-run", "--vcores", "4", "--", "true"));
        assertTrue(err.toString(UTF_8).contains("YARN grants at most 3 vcores to one container"), err.toString(UTF_8));
        assertEquals(0, gateway.created);
    }

    /** Stands in for a ResourceManager's administration port; counts who comes. */
    private static final class AdminPort implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        private final AtomicInteger calls = new AtomicInteger();
        private final Thread thread = new Thread(this::count, "admin-port");

        AdminPort() throws IOException {
            thread.start();
        }

        private void count() {
            try {
                while (true) {
                    socket.accept().close();
                    calls.incrementAndGet();
                }
            } catch (IOException e) {
                // Closed.
            }
        }

        String address() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void theActiveResourceManagerIsFoundWithoutAskingAnyForItsState() throws Exception {
        try (AdminPort admin = new AdminPort();
                FakeResourceManager standby = new FakeResourceManager()) {
            standby.isStandbyOf(active);
            conf.unset("yarn.resourcemanager.webapp.address");
            conf.setBoolean("yarn.resourcemanager.ha.enabled", true);
            conf.set("yarn.resourcemanager.ha.rm-ids", "rm1,rm2,rm3");
            conf.set("yarn.resourcemanager.webapp.address.rm1", "127.0.0.1:1");
            conf.set("yarn.resourcemanager.webapp.address.rm2", standby.address());
            conf.set("yarn.resourcemanager.webapp.address.rm3", active.address());
            for (String rm : List.of("rm1", "rm2", "rm3")) {
                conf.set("yarn.resourcemanager.admin.address." + rm, admin.address());
            }
            conf.setInt("ipc.client.connect.max.retries", 1);
            active.answers(JOB, "{\"state\":\"waiting\",\"reason\":\"Gang 0/4: 1 GPU free\"}");
            active.answers("/ws/v1/treadle/power", "{\"cluster\":{\"watts\":1},\"nodes\":[],\"queues\":[]}");
            reported(YarnApplicationState.ACCEPTED, RECOVERED);
            assertEquals(0, run("explain", ID));
            assertTrue(said().contains("Gang 0/4: 1 GPU free"), said());
            assertEquals(0, run("power", "--json"));
            active.answers(
                    JOBS,
                    "{\"jobs\":[{\"applicationId\":\"" + ID
                            + "\",\"state\":\"waiting\",\"reason\":\"Gang 0/4: as top has it\"}]}");
            reported(YarnApplicationState.ACCEPTED, RECOVERED);
            assertEquals(0, run("top"));
            assertTrue(said().contains("Gang 0/4: as top has it"), said());
            assertEquals(0, admin.calls.get());
        }
    }
}
