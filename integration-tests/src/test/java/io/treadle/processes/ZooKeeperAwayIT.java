// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.processes.TrainingJob.Size;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Without ZooKeeper nothing is measured or shown, and everything runs. */
class ZooKeeperAwayIT {
    @Test
    void whateverStartsWithoutItFindsItLater() throws Exception {
        try (ProcessCluster cluster = ProcessCluster.startWithoutZooKeeper()) {
            TrainingJob job = TrainingJob.submit(cluster, "early", 2, false);
            job.awaitTrainingUnseen();
            String id = job.id();
            Await.until("word of the ApplicationMaster", () -> complaints(cluster, id) > 0);

            cluster.startZooKeeper();
            job.awaitTraining();
            // One each time that it goes, which it may do again as it starts; it is written to twice a second.
            assertTrue(complaints(cluster, id) <= 3, () -> "messages: " + job.tail());
            assertEquals(0, job.restarts());
            assertEquals(0, job.finish(), job::tail);
            Leftovers.assertNone(cluster);
        }
    }

    @Test
    void aJobGoesOnWithItsSizesAndLeavesNothing() throws Exception {
        try (ProcessCluster cluster = ProcessCluster.start()) {
            TrainingJob job = TrainingJob.submit(cluster, "on-its-own", 2, false);
            job.awaitTraining();
            String id = job.id();
            Map<String, Size> sizes = job.sizesAtTheWorkers();
            long before = complaints(cluster, id);

            cluster.stopZooKeeper();
            Await.until("word of the ApplicationMaster", () -> complaints(cluster, id) > before);
            job.awaitProgressUnseen();
            assertEquals(sizes, job.sizesAtTheWorkers());
            assertEquals(sizes, job.sizesAtTheResourceManager());

            cluster.startZooKeeper();
            job.awaitProgress();
            assertEquals(0, job.restarts());

            cluster.stopZooKeeper();
            assertEquals(0, job.finish(), job::tail);
            cluster.startZooKeeper();
            Leftovers.assertNone(cluster);
        }
    }

    /** How often the job's ApplicationMaster has said that ZooKeeper is away. */
    private static long complaints(ProcessCluster cluster, String id) throws Exception {
        return cluster.appMasterLog(id)
                .lines()
                .filter(line -> line.contains("ZooKeeper cannot be written"))
                .count();
    }
}
