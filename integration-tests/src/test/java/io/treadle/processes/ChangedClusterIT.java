// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.processes.TrainingJob.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What admins do to nodes and queues while jobs run. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChangedClusterIT {
    /** The second node has a host's name of its own: nodes are taken out of a cluster by host. */
    private static final String SECOND_HOST = "127.0.0.2";

    private static final String ML = "yarn.scheduler.capacity.root.ml.";

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static Path excluded;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        excluded = Files.createFile(directory.resolve("excluded"));
        cluster = ProcessCluster.start(
                Map.of("yarn.resourcemanager.nodes.exclude-path", excluded.toString()),
                node -> node.equals("n1") ? secondHost() : Map.of());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Map<String, String> secondHost() {
        Map<String, String> settings = new HashMap<>(Map.of("yarn.nodemanager.hostname", SECOND_HOST));
        Ports ports = new Ports();
        for (String address : List.of("", "localizer.", "webapp.")) {
            settings.put("yarn.nodemanager." + address + "address", SECOND_HOST + ":" + ports.next());
        }
        return settings;
    }

    /**
     * Comes last: a node that was restarted under an application counts it as running for ever (YARN's own, of MapReduce
     * jobs too), and is never out once it is taken out.
     */
    @Order(2)
    @Test
    void nodeManagersAreRestartedOneByOne() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "node-by-node", 2, false);
        List<Worker> workers = job.awaitTraining();
        MapReduceJob words = MapReduceJob.submit(cluster, "a loom\n", "a treadle\n");
        for (int node = 0; node < ProcessCluster.NODES; node++) {
            cluster.stopNodeManager(node);
            cluster.startNodeManager(node);
            cluster.awaitNodes();
            job.awaitProgress();
        }
        assertEquals("SUCCEEDED", cluster.finalStatus(words.applicationId()));
        assertEquals(Map.of("a", 2, "loom", 1, "treadle", 1), words.counts());
        goesOn(job, workers);
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    @Order(1)
    @Test
    void nodeThatIsTakenOutKeepsItsTasksAndGetsNoOthers() throws Exception {
        TrainingJob first = TrainingJob.submit(cluster, "first", 2, false);
        List<Worker> onFirst = first.awaitTraining();
        TrainingJob both = TrainingJob.submit(cluster, "both", 2, false);
        List<Worker> onBoth = both.awaitTraining();
        assertEquals(Set.of("n0", "n1"), nodes(both));

        Files.writeString(excluded, SECOND_HOST + "\n");
        cluster.admin("-refreshNodes", "-g", "3600", "-server");
        Await.until("the node is taken out", () -> states().contains("DECOMMISSIONING"));
        both.awaitProgress();
        goesOn(both, onBoth);
        goesOn(first, onFirst);
        assertEquals(0, first.finish(), first::tail);
        TrainingJob next = TrainingJob.submit(cluster, "next", 2, false);
        next.awaitTraining();
        assertEquals(Set.of("n0"), nodes(next));
        goesOn(both, onBoth);
        assertEquals(0, both.finish(), both::tail);
        Await.until("the node is out", () -> states().contains("DECOMMISSIONED"));
        next.awaitProgressWhileADaemonEnds();
        assertEquals(0, next.restarts());

        Files.writeString(excluded, "");
        cluster.admin("-refreshNodes");
        cluster.killNodeManager(1);
        cluster.startNodeManager(1);
        cluster.awaitNodes();
        assertEquals(0, next.finish(), next::tail);
        Leftovers.assertNone(cluster);
    }

    @Order(1)
    @Test
    void queueIsStoppedDeletedAndMadeAgain() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "in-stopped-queue", 2, false);
        List<Worker> workers = job.awaitTraining();
        refresh(Map.of(ML + "state", "STOPPED"));
        job.awaitProgress();
        goesOn(job, workers);
        JavaProcess refused = client("--queue", "ml", "--", "true");
        refused.start();
        assertTrue(refused.exitCode() != 0, refused::tail);
        assertTrue(refused.tail().contains("root.ml"), refused::tail);
        assertEquals(0, job.finish(), job::tail);
        Await.until("the queue is empty", () -> "STOPPED".equals(stateOfMl()));

        refresh(Map.of(
                ML + "state",
                "STOPPED",
                "yarn.scheduler.capacity.root.queues",
                "default",
                "yarn.scheduler.capacity.root.default.capacity",
                "100"));
        JavaProcess unknown = client("--queue", "ml", "--", "true");
        unknown.start();
        assertTrue(unknown.exitCode() != 0, unknown::tail);
        assertTrue(unknown.tail().contains("there is no queue 'ml'"), unknown::tail);

        refresh(Map.of());
        TrainingJob again = TrainingJob.submit(cluster, "in-new-queue", 2, false);
        again.awaitTraining();
        assertEquals(0, again.finish(), again::tail);
        Leftovers.assertNone(cluster);
    }

    @Order(1)
    @Test
    void jobIsMovedToAnotherQueue() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "moved", 2, false);
        List<Worker> workers = job.awaitTraining();
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.configuration());
            client.start();
            client.moveApplicationAcrossQueues(ApplicationId.fromString(job.id()), "root.default");
        }
        assertEquals("root.default", job.view().orElseThrow().path("queue").asText());
        job.awaitProgress();
        goesOn(job, workers);
        TrainingJob next = TrainingJob.submit(cluster, "beside-moved", 2, false);
        next.awaitTraining();
        assertEquals(0, next.finish(), next::tail);
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    private static void goesOn(TrainingJob job, List<Worker> workers) throws IOException, InterruptedException {
        assertEquals(workers, job.workers());
        assertTrue(workers.stream().allMatch(TrainingJob::isAlive), workers::toString);
        assertEquals(0, job.restarts());
    }

    private static JavaProcess client(String... arguments) {
        List<String> all =
                new java.util.ArrayList<>(List.of(JarDirectories.amJar().toString()));
        all.addAll(List.of(arguments));
        return cluster.yarnJar("client-" + arguments.length + "-" + System.nanoTime(), all.toArray(String[]::new));
    }

    private static void refresh(Map<String, String> settings) throws IOException {
        cluster.resourceManagerWith(settings);
        cluster.admin("-refreshQueues");
    }

    private static List<String> states() throws IOException, InterruptedException {
        return StreamSupport.stream(
                        cluster.rest()
                                .get("/ws/v1/cluster/nodes?states=running,decommissioning,decommissioned")
                                .path("nodes")
                                .path("node")
                                .spliterator(),
                        false)
                .map(node -> node.path("state").asText())
                .toList();
    }

    private static String stateOfMl() throws IOException, InterruptedException {
        JsonNode queues = cluster.rest()
                .get("/ws/v1/cluster/scheduler")
                .path("scheduler")
                .path("schedulerInfo")
                .path("queues")
                .path("queue");
        return StreamSupport.stream(queues.spliterator(), false)
                .filter(queue -> queue.path("queueName").asText().equals("ml"))
                .map(queue -> queue.path("state").asText())
                .findFirst()
                .orElse("");
    }

    /** Where its workers run. */
    private static Set<String> nodes(TrainingJob job) throws IOException {
        Set<String> nodes = new HashSet<>();
        for (Worker worker : job.workers()) {
            String directory = Files.readSymbolicLink(Path.of("/proc", Long.toString(worker.pid()), "cwd"))
                    .toString();
            nodes.add(directory.contains("/n1/local/") ? "n1" : "n0");
        }
        return nodes;
    }
}
