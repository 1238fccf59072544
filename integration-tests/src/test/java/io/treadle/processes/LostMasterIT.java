// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A job's ApplicationMaster is lost with its node. All vcores of the other node are held by the job's own workers, which have more
 * of them than they asked for.
 */
class LostMasterIT {
    @Test
    void theNextMasterFindsRoomBesideItsOwnWorkers() throws Exception {
        Map<String, String> settings = Map.of(
                "yarn.nm.liveness-monitor.expiry-interval-ms", "30000",
                "yarn.scheduler.treadle.node.spare-vcores", "0");
        Map<String, Map<String, String>> nodes = Map.of(
                "n0", Map.of("yarn.nodemanager.treadle.simulated-devices", "2xA100-SXM4-40GB:40960:400"),
                "n1",
                        Map.of(
                                "yarn.nodemanager.treadle.device-provider",
                                "none",
                                "yarn.nodemanager.resource.cpu-vcores",
                                "1"));
        try (ProcessCluster cluster = ProcessCluster.start(settings, nodes::get)) {
            cluster.stopNodeManager(0);
            awaitLost(cluster, 1);
            TrainingJob job = TrainingJob.submit(cluster, "master-lost", JobSizes.ASKED_VCORES, false);
            assertEquals(1, job.appMasterNode());
            cluster.startNodeManager(0);
            job.awaitTraining();
            Await.until("the workers have all of their node", () -> {
                job.checkRunning();
                return vcoresOfWorkers(job) == ProcessCluster.NODE_VCORES;
            });

            cluster.killNodeManager(1);
            awaitLost(cluster, 1);
            Await.until("another ApplicationMaster, beside smaller workers", () -> {
                job.checkClientRunning();
                return attempts(cluster, job) == 2 && vcoresOfWorkers(job) < ProcessCluster.NODE_VCORES;
            });
            job.awaitProgressWhileADaemonEnds();
            assertEquals(0, job.appMasterNode());
            assertTrue(
                    job.sizesAtTheWorkers().values().stream().allMatch(size -> size.vcores() >= JobSizes.ASKED_VCORES));
            assertEquals(0, job.restarts(), "the workers run on");
            assertEquals(0, job.finish(), job::tail);
        }
    }

    private static void awaitLost(ProcessCluster cluster, int nodes) {
        Await.until(
                "the loss of a node",
                () -> cluster.rest()
                                .get("/ws/v1/cluster/metrics")
                                .path("clusterMetrics")
                                .path("lostNodes")
                                .asInt()
                        == nodes);
    }

    private static int attempts(ProcessCluster cluster, TrainingJob job) throws IOException, InterruptedException {
        return cluster.rest()
                .get("/ws/v1/cluster/apps/" + job.id() + "/appattempts")
                .path("appAttempts")
                .path("appAttempt")
                .size();
    }

    /** As their NodeManager has told them. */
    private static long vcoresOfWorkers(TrainingJob job) throws IOException {
        return job.sizesAtTheWorkers().values().stream()
                .mapToLong(TrainingJob.Size::vcores)
                .sum();
    }
}
