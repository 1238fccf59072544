// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** A node is lost while a gang starts that needs it. */
class LostNodeIT {
    /** Two such workers do not fit on one node. */
    private static final int VCORES = 8;

    @Test
    void theGangStartsWholeWhenTheNodeIsBack() throws Exception {
        Map<String, String> soon = Map.of(
                // Until then the gang has to be granted, on a busy machine, too.
                "yarn.nm.liveness-monitor.expiry-interval-ms",
                "60000",
                // In heartbeats, of 200 ms: else nothing would be granted where a NodeManager is silent for ten
                // seconds.
                "yarn.scheduler.skip.node.multiplier",
                "1000");
        try (ProcessCluster cluster = ProcessCluster.start(soon)) {
            TrainingJob job = TrainingJob.submit(cluster, "node-lost", VCORES, false);
            int lost = 1 - job.appMasterNode();
            // It still counts as alive, but starts no container: the gang is granted and cannot start.
            cluster.pauseNodeManager(lost);
            Await.until("grant of the gang", () -> {
                job.checkClientRunning();
                return job.sizesAtTheResourceManager().size() == TrainingJob.WORKERS;
            });
            assertEquals(0, job.workers().size(), "no worker starts before the others can");

            cluster.killNodeManager(lost);
            Await.until("loss of the node", () -> {
                job.checkClientRunning();
                return StreamSupport.stream(
                                cluster.rest()
                                        .get("/ws/v1/cluster/nodes")
                                        .path("nodes")
                                        .path("node")
                                        .spliterator(),
                                false)
                        .anyMatch(node -> "LOST".equals(node.path("state").asText()));
            });
            assertEquals(0, job.workers().size(), "half a gang must not run");

            cluster.startNodeManager(lost);
            job.awaitTraining();
            assertEquals(0, job.restarts(), "no worker had started");
            assertEquals(0, job.finish(), job::tail);
            Leftovers.assertNone(cluster);
        }
    }
}
