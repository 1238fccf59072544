// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.client.Main;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.cluster.QueueShape;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import io.treadle.core.wire.ZkPaths;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.StatusReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs with workers and servers on three nodes: one starts whole and grows when another ends, by a worker that joins; each
 * says what it has or waits for where people look.
 */
class SizedJobsIT {
    private static final Logger LOG = LoggerFactory.getLogger(SizedJobsIT.class);
    private static final String TAG = "known";
    /** What profiles are kept under of jobs without GPUs. */
    private static final String CPU = "";

    /** With w workers and p servers an iteration takes 3.6 / w + max(0.2, 0.2 · w / p) seconds. */
    private static final ServersModel MODEL = new ServersModel(
            ServersModel.Mode.SYNC,
            ServersModel.Overlap.WAIT_FREE,
            120,
            new ServersModel.Layered(List.of(new ServersModel.Layer(0.01, 0.02, 0, 0, 100e6)), 1e9, 1e9, 0, 0, 0));

    /** @param fields of the job beside its name, its queue and its tasks */
    private static JobSpec job(String name, String queue, String fields, String tasks) {
        return JobSpecParser.fromYaml(
                name + ".yaml",
                """
                name: %s
                queue: %s
                appMaster: {memory: 512Mi}
                %s
                tasks:
                %s
                """
                        .formatted(name, queue, fields, tasks));
    }

    private static String group(String name, int least, int most) {
        return "  " + name + ": {count: " + most + ", min: " + least
                + (name.equals("worker") && least < most ? ", joins: true" : "")
                + ", vcores: 1, memory: 64Mi, command: 'exec sleep 600'}\n";
    }

    private static void know(EmbeddedCluster cluster) throws Exception {
        ProfileRecord profile = new ProfileRecord(
                        "application_1_0001",
                        TAG,
                        CPU,
                        0,
                        ProfileRecord.Phase.READY,
                        1,
                        List.of(new ProfileRecord.Point(1, 0, 31.6, 1)),
                        System.currentTimeMillis())
                .withServers(Optional.of(new ProfileServers(MODEL, List.of(), OptionalDouble.empty())));
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        try (CuratorFramework zooKeeper =
                CuratorFrameworkFactory.newClient(cluster.zookeeperAddress(), new RetryOneTime(100))) {
            zooKeeper.start();
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .forPath(
                            ZkPaths.storedProfile(user, TAG, CPU, 0),
                            profile.toJson().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String explain(EmbeddedCluster cluster, Path directory, ApplicationId id) throws Exception {
        JavaProcess process = new JavaProcess(
                        "explain",
                        directory.resolve("explain-" + id),
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "explain",
                        id.toString(),
                        "-Dyarn.resourcemanager.address="
                                + cluster.configuration().get("yarn.resourcemanager.address"),
                        "-Dyarn.resourcemanager.webapp.address="
                                + URI.create(cluster.webAddress()).getAuthority())
                .withJvmOptions("-Dlog4j.configuration=command-log4j.properties");
        process.start();
        assertEquals(0, process.exitCode(), process.output());
        return process.output().strip();
    }

    private static long sleeping(Path work) {
        return ContainerProcesses.under(work).stream()
                .filter(process -> process.info().command().orElse("").endsWith("/sleep"))
                .count();
    }

    private static long restarts(ApplicationViews views, Path work, ApplicationId id) throws Exception {
        StatusReader reader = new StatusReader(work.resolve("history"));
        String status = Await.value(
                "the ApplicationMaster answers", () -> reader.text(views.of(id).trackingUrl() + "status.json"));
        return new ObjectMapper().readTree(status).path("restarts").asLong(-1);
    }

    private static void awaitTasks(ApplicationViews views, ApplicationId id, int count) {
        Await.until(count + " tasks", () -> {
            ApplicationView view = views.of(id);
            if (view.ended()) {
                throw new Await.HopelessException(view.diagnostics());
            }
            return view.workers().size() == count;
        });
        LOG.info("{}: {}", views.of(id).diagnostics(), views.of(id).workers());
    }

    private static void awaitReason(ApplicationViews views, ApplicationId id, String pattern) {
        String[] last = {""};
        try {
            Await.until(pattern, () -> {
                last[0] = views.of(id).diagnostics();
                return last[0].matches(pattern);
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; it reads '" + last[0] + "'", e);
        }
        LOG.info("{}", last[0]);
    }

    @Test
    void areSizedOverNodesAndSayWhy(@TempDir Path directory) throws Exception {
        Path work;
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .node(new NodeShape("n1", 4096, 6, List.of()))
                .node(new NodeShape("n2", 4096, 6, List.of()))
                .node(new NodeShape("n3", 4096, 6, List.of()))
                .queue(QueueShape.of("ml", "smd"))
                .setting("yarn.scheduler.capacity.root.ml.treadle.utility.max-weight", "1000")
                .setting("treadle.am.heartbeat-ms", "250")
                .setting("yarn.scheduler.treadle.smd.interval-ms", "1000")
                .setting("yarn.scheduler.treadle.smd.trim-delta", "0")
                .setting("yarn.scheduler.treadle.smd.capacity-factor", "1")
                .setting("yarn.scheduler.treadle.power.rescale-seconds", "1")
                .setting("yarn.scheduler.treadle.power.make-way-seconds", "2")
                .start()) {
            work = cluster.workDirectory();
            know(cluster);
            ApplicationViews views = new ApplicationViews(cluster);
            try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
                ApplicationId measured = launcher.submit(job(
                        "measured",
                        "ml",
                        "totalSamples: 1000000\nutility: {weight: 500}",
                        group("worker", 1, 2) + group("ps", 1, 1)));
                ApplicationId guest =
                        launcher.submit(job("guest", "ml", "utility: {weight: 1000}", group("worker", 4, 4)));
                awaitTasks(views, measured, 2);
                awaitTasks(views, guest, 4);
                // Eighteen vcores, of which these hold eight with their ApplicationMasters.
                ApplicationId sized = launcher.submit(job(
                        "sized",
                        "ml",
                        "modelTag: " + TAG + "\ntotalSamples: 1200000\nutility: {weight: 10}",
                        group("worker", 3, 6) + group("ps", 2, 4)));
                awaitTasks(views, sized, 9);
                awaitReason(
                        views,
                        sized,
                        "has 5 workers and 4 servers, ends in about .*; (worth .*|takes what admitted jobs leave)");
                Await.until("all of the three train", () -> sleeping(work) == 15);
                long before = restarts(views, work, sized);
                LOG.info("all were started again {} times before", before);
                launcher.kill(guest);
                awaitTasks(views, sized, 10);
                Await.until("a worker that trains beside the others", () -> sleeping(work) == 12);
                assertEquals(before, restarts(views, work, sized), "it has joined them");
                ApplicationId waits = launcher.submit(job(
                        "waits",
                        "ml",
                        "modelTag: " + TAG + "\ntotalSamples: 1200000\nutility: {weight: 0.01}",
                        group("worker", 8, 8) + group("ps", 2, 2)));
                awaitReason(
                        views,
                        waits,
                        "not admitted: worth (under )?[0-9.]+, it would displace [0-9.]+; admitted in about .* if nothing else arrives");
                awaitReason(
                        views, measured, "has 1 worker and 1 server, with which its speed is measured while it trains");
                List<String> explained = Await.value("explain and YARN's diagnostics say the same", () -> {
                    // What a job is worth goes down with time.
                    List<String> lines =
                            explain(cluster, directory, waits).lines().toList();
                    return Optional.of(lines)
                            .filter(all -> all.size() > 2
                                    && all.get(1).equals(" " + views.of(waits).diagnostics()));
                });
                assertEquals("waits (root.ml): waiting", explained.get(0));
                assertTrue(
                        explained.stream()
                                .anyMatch(line -> line.matches(
                                        " Its queue: .*the chosen jobs bring [0-9.]+; no choice could bring"
                                                + " more than [0-9.]+ \\([0-9.]+ % off\\)\\..*")),
                        explained::toString);
                assertTrue(
                        explained
                                .get(2)
                                .matches(
                                        " Starts about (\\d{4}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d if nothing else arrives\\."),
                        explained::toString);
                for (ApplicationId id : List.of(sized, waits, measured)) {
                    launcher.kill(id);
                }
            }
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
    }
}
