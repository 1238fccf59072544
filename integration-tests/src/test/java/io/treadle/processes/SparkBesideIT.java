// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Spark with dynamic allocation takes all it can get, beside gangs and with YARN's preemption on. */
class SparkBesideIT {
    /** Of 24; half of them are guaranteed to the gang's queue, and Spark leaves less. */
    private static final int WORKER_VCORES = 4;

    private static final Map<String, String> PREEMPTION = Map.of(
            "yarn.resourcemanager.scheduler.monitor.enable",
            "true",
            "yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval",
            "500",
            "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill",
            "1000",
            "yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor",
            "1.0",
            "yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round",
            "1.0");

    @Test
    void sparkGivesAGangItsRoomOnceAndCountsRight() throws Exception {
        try (ProcessCluster cluster = ProcessCluster.start(PREEMPTION)) {
            SparkSum spark = SparkSum.submit(cluster, "default");
            spark.awaitExecutors();

            TrainingJob gang = TrainingJob.submit(cluster, "gang", WORKER_VCORES, false);
            gang.awaitTraining();
            int taken = spark.preempted();
            assertTrue(taken > 0 && taken <= 3, taken + " executors were taken for two workers of 4 vcores");

            // Larger than what is guaranteed beside the first: it waits, and nothing is taken for it.
            TrainingJob waits = TrainingJob.submit(cluster, "waits", 2 * WORKER_VCORES, false);
            Await.until("a gang waits", () -> waits.view()
                    .filter(job -> job.path("reason").asText().startsWith("Gang 0/2"))
                    .isPresent());
            gang.awaitProgress();
            assertEquals(0, spark.go(), spark::tail);
            assertEquals(SparkSum.known(), spark.result());
            assertEquals(taken, spark.preempted(), "more were taken while a gang waits");

            // Still there is not enough for the other gang.
            MapReduceJob words = MapReduceJob.submit(cluster, "a loom\n", "a treadle\n");
            assertEquals("SUCCEEDED", cluster.finalStatus(words.applicationId()));
            assertEquals(Map.of("a", 2, "loom", 1, "treadle", 1), words.counts());
            assertEquals(0, gang.finish(), gang::tail);
            waits.awaitTraining();
            assertEquals(0, waits.finish(), waits::tail);
            Leftovers.assertNone(cluster);
        }
    }
}
