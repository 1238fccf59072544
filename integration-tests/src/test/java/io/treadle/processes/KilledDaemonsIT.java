// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.processes.TrainingJob.Size;
import io.treadle.processes.TrainingJob.Worker;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code kill -9} of NodeManagers and the ResourceManager while a job runs whose containers were resized. */
class KilledDaemonsIT {
    private static final int ASKED_VCORES = 2;
    /** More than a job that has grown leaves of the node that both need. */
    private static final int PEER_VCORES = 4;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = ProcessCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void nodeManagersComeBackToTheirContainers() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "nodes-killed", ASKED_VCORES, true);
        List<Worker> workers = job.awaitTraining();
        Map<String, Size> sizes = awaitGrown(job);
        Map<String, JsonNode> devices = devices(workers);

        for (int node = 0; node < ProcessCluster.NODES; node++) {
            cluster.killNodeManager(node);
        }
        for (Worker worker : workers) {
            // Also what is lost meanwhile must come back.
            assertTrue(worker.resources().toFile().delete(), () -> worker + " had no resources.json");
        }
        for (int node = 0; node < ProcessCluster.NODES; node++) {
            cluster.startNodeManager(node);
        }
        cluster.awaitNodes();
        awaitRunning(job, "return of every resources.json", () -> job.sizesAtTheWorkers()
                .equals(sizes));
        assertEquals(devices, devices(workers));

        resizeByAnotherJob(job, "nodes-killed-peer");
        assertSameProcesses(job, workers);
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    @Test
    void resourceManagerComesBackToResizedContainers() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "rm-killed", ASKED_VCORES, true);
        List<Worker> workers = job.awaitTraining();
        Map<String, Size> sizes = awaitGrown(job);
        Map<String, JsonNode> devices = devices(workers);

        cluster.killResourceManager();
        cluster.startResourceManager();
        cluster.awaitNodes();
        awaitRunning(job, "return of the job's containers", () -> job.sizesAtTheResourceManager()
                .keySet()
                .equals(sizes.keySet()));
        awaitAgreement(job);
        job.awaitProgress();
        // Both workers and the ApplicationMaster, each once.
        assertEquals(
                TrainingJob.WORKERS + 1,
                cluster.metrics().path("containersAllocated").asInt());
        assertEquals(devices, devices(workers));

        resizeByAnotherJob(job, "rm-killed-peer");
        assertSameProcesses(job, workers);
        assertEquals(0, job.restarts());
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    /** Waits until the job is profiled and the scheduler has given its workers more than they asked for. */
    private static Map<String, Size> awaitGrown(TrainingJob job) {
        awaitRunning(job, "growth of the job's containers", () -> {
            return "running".equals(job.view().orElseThrow().path("state").asText())
                    && job.view().orElseThrow().path("profile").size() > 1
                    && job.sizesAtTheResourceManager().values().stream().allMatch(s -> s.vcores() > ASKED_VCORES);
        });
        return awaitAgreement(job);
    }

    private static void awaitRunning(TrainingJob job, String what, Callable<Boolean> condition) {
        Await.until(what, () -> {
            job.checkRunning();
            return condition.call();
        });
    }

    /** Waits until ResourceManager and NodeManagers say the same of the job's containers. */
    private static Map<String, Size> awaitAgreement(TrainingJob job) {
        return Await.value("agreement on the containers' sizes", () -> {
            job.checkRunning();
            Map<String, Size> sizes = job.sizesAtTheResourceManager();
            return sizes.size() == TrainingJob.WORKERS && sizes.equals(job.sizesAtTheWorkers())
                    ? java.util.Optional.of(sizes)
                    : java.util.Optional.empty();
        });
    }

    /** Another job comes to the same nodes, and goes again: the sizes change, and everybody knows. */
    private static void resizeByAnotherJob(TrainingJob job, String name) throws Exception {
        long before = total(job.sizesAtTheWorkers());
        TrainingJob peer = TrainingJob.submit(cluster, name, PEER_VCORES, false);
        peer.awaitTraining();
        awaitRunning(job, "shrinking of the job's containers", () -> total(job.sizesAtTheWorkers()) < before);
        long shrunk = total(awaitAgreement(job));
        assertEquals(0, peer.finish(), peer::tail);
        awaitRunning(job, "growth of the job's containers", () -> total(job.sizesAtTheWorkers()) > shrunk);
        awaitAgreement(job);
    }

    private static long total(Map<String, Size> sizes) {
        return sizes.values().stream().mapToLong(Size::vcores).sum();
    }

    /** By container, the devices in its resources.json. */
    private static Map<String, JsonNode> devices(List<Worker> workers) throws IOException {
        Map<String, JsonNode> devices = new TreeMap<>();
        for (Worker worker : workers) {
            JsonNode held = TrainingJob.resources(worker).path("devices");
            assertEquals(1, held.size(), held::toString);
            assertEquals(worker.devices(), held.get(0).path("uuid").asText());
            devices.put(worker.container(), held);
        }
        return devices;
    }

    private static void assertSameProcesses(TrainingJob job, List<Worker> workers) throws IOException {
        assertEquals(workers, job.workers());
        assertTrue(workers.stream().allMatch(TrainingJob::isAlive), workers::toString);
    }
}
