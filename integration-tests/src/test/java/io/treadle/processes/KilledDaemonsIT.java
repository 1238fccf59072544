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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code kill -9} of NodeManagers and the ResourceManager while a job runs whose containers were resized. */
class KilledDaemonsIT {
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
        TrainingJob job = TrainingJob.submit(cluster, "nodes-killed", JobSizes.ASKED_VCORES, true);
        List<Worker> workers = job.awaitTraining();
        Map<String, Size> sizes = JobSizes.awaitGrown(job);
        Map<String, JsonNode> devices = JobSizes.devices(workers);

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
        JobSizes.awaitRunning(job, "return of every resources.json", () -> job.sizesAtTheWorkers()
                .keySet()
                .equals(sizes.keySet()));
        JobSizes.awaitAgreement(job);
        assertEquals(devices, JobSizes.devices(workers));

        JobSizes.resizeByAnotherJob(cluster, job, "nodes-killed-peer", agreed -> {});
        assertSameProcesses(job, workers);
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    @Test
    void resourceManagerComesBackToResizedContainers() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "rm-killed", JobSizes.ASKED_VCORES, true);
        List<Worker> workers = job.awaitTraining();
        Map<String, Size> sizes = JobSizes.awaitGrown(job);
        Map<String, JsonNode> devices = JobSizes.devices(workers);

        cluster.killResourceManager();
        cluster.startResourceManager();
        cluster.awaitNodes();
        JobSizes.awaitRunning(job, "return of the job's containers", () -> job.sizesAtTheResourceManager()
                .keySet()
                .equals(sizes.keySet()));
        JobSizes.awaitAgreement(job);
        job.awaitProgress();
        // An increase counts as a container until it is fetched.
        Await.until("both workers and the ApplicationMaster, each once", () -> {
            job.checkRunning();
            return cluster.metrics().path("containersAllocated").asInt() == TrainingJob.WORKERS + 1;
        });
        assertEquals(devices, JobSizes.devices(workers));

        JobSizes.resizeByAnotherJob(cluster, job, "rm-killed-peer", agreed -> {});
        assertSameProcesses(job, workers);
        assertEquals(0, job.restarts());
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    private static void assertSameProcesses(TrainingJob job, List<Worker> workers) throws IOException {
        assertEquals(workers, job.workers());
        assertTrue(workers.stream().allMatch(TrainingJob::isAlive), workers::toString);
    }
}
