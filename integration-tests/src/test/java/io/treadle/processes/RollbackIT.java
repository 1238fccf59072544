// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.processes.TrainingJob.Worker;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.jupiter.api.Test;

/** An admin goes back to CapacityScheduler while jobs of Treadle's run, and forward again. */
class RollbackIT {
    /** Of a worker, of the twelve of each node: beside a running job there is room for one such worker, and not for two. */
    private static final int LARGE_VCORES = 10;

    @Test
    void jobsRunThroughBothAndOthersAreServed() throws Exception {
        try (ProcessCluster cluster = ProcessCluster.start()) {
            TrainingJob job = TrainingJob.submit(cluster, "rolled-back", 2, false);
            List<Worker> workers = job.awaitTraining();
            String id = job.id();
            TrainingJob waits = TrainingJob.submit(cluster, "waits", LARGE_VCORES, false);
            Await.until("a job waits", () -> waits.view()
                    .filter(view -> view.path("reason").asText().startsWith("Gang 0/2"))
                    .isPresent());

            // One line of yarn-site.xml; all other settings stay, the queue's ordering policy too.
            cluster.killResourceManager();
            cluster.resourceManagerWith(Map.of(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName()));
            cluster.startResourceManager();
            cluster.awaitNodes();
            job.awaitProgressUnseen();
            MapReduceJob words = MapReduceJob.submit(cluster, "a loom\n", "a treadle\n");
            assertEquals("SUCCEEDED", cluster.finalStatus(words.applicationId()));
            assertEquals(Map.of("a", 2, "loom", 1, "treadle", 1), words.counts());
            assertTrue(
                    cluster.rest().page("/cluster/treadle").contains("TreadleScheduler"),
                    "the page says whose scheduler it wants");
            assertEquals(workers, job.workers());

            cluster.killResourceManager();
            cluster.resourceManagerWith(Map.of());
            cluster.startResourceManager();
            cluster.awaitNodes();
            job.awaitProgress();
            assertEquals(id, job.view().orElseThrow().path("applicationId").asText());
            assertEquals(workers, job.workers());
            assertTrue(workers.stream().allMatch(TrainingJob::isAlive), workers::toString);
            assertEquals(0, job.restarts());

            // CapacityScheduler has given the other job what there was room for: one worker of two.
            assertEquals(0, job.finish(), job::tail);
            waits.awaitTraining();
            assertEquals(0, waits.finish(), waits::tail);
            TrainingJob next = TrainingJob.submit(cluster, "after", 2, false);
            next.awaitTraining();
            assertEquals(0, next.finish(), next::tail);
            Leftovers.assertNone(cluster);
        }
    }
}
