// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
            Await.until("word of the ApplicationMaster", () -> complaints(cluster, id) == 1);

            cluster.startZooKeeper();
            job.awaitTraining();
            assertEquals(1, complaints(cluster, id), "one message");
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

            cluster.stopZooKeeper();
            Await.until("word of the ApplicationMaster", () -> complaints(cluster, id) == 1);
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
