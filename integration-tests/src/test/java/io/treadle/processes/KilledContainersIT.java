// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code kill -9} of what runs in containers, on daemons that are processes of their own. */
class KilledContainersIT {
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
    void jobGoesOnFromItsCheckpointWhenAWorkerIsKilled() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "worker-killed", 2, false);
        List<TrainingJob.Worker> before = job.awaitTraining();
        kill(before.get(1).pid());

        Await.until("new start of both workers", () -> {
            List<TrainingJob.Worker> now = job.workers();
            return now.get(0).pid() != before.get(0).pid()
                    && now.get(1).pid() != before.get(1).pid();
        });
        List<TrainingJob.Worker> after = job.awaitTraining();
        assertTrue(after.stream().allMatch(w -> w.samples() > 0), () -> "must start from checkpoints: " + after);
        Await.until("count of the restart", () -> job.restarts() == 1);
        job.awaitProgress();
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    @Test
    void workersRunOnWhileTheAppMasterIsReplaced() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "master-killed", 2, false);
        List<TrainingJob.Worker> before = job.awaitTraining();
        ProcessHandle master = job.appMaster();
        kill(master.pid());

        Await.until("another ApplicationMaster", () -> job.appMaster().pid() != master.pid());
        job.awaitProgress();
        assertEquals(before, job.workers(), "must be the same processes");
        assertTrue(before.stream().allMatch(TrainingJob::isAlive));
        assertEquals(0, job.restarts());
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }

    @Test
    void jobThatItsUserKillsLeavesItsCheckpointsAlone() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "killed-by-user", 2, false);
        job.awaitTraining();
        job.awaitProgress();
        JobSecrets.assertPrivate(cluster, job.workers());
        ProcessHandle master = job.appMaster();
        JavaProcess kill = cluster.yarnJar("kill", JarDirectories.amJar().toString(), "kill", job.id());
        kill.start();
        assertEquals(0, kill.exitCode(), kill::tail);

        Await.until("end of the ApplicationMaster's process", () -> !master.isAlive());
        assertNotEquals(0, job.finish(), job::tail);
        Await.until("nothing but checkpoints in the staging directory", () -> {
            try (Stream<Path> left = Files.walk(cluster.staging())) {
                return left.filter(Files::isRegularFile)
                        .map(file -> file.getFileName().toString())
                        .filter(name -> !name.endsWith(".crc") && !name.endsWith(".tmp"))
                        .collect(Collectors.toSet())
                        .equals(Set.of("rank-0.json", "rank-1.json"));
            }
        });
        FileUtil.fullyDeleteContents(cluster.staging().toFile());
        Leftovers.assertNone(cluster);
    }

    private static void kill(long pid) {
        assertTrue(ProcessHandle.of(pid).orElseThrow().destroyForcibly(), () -> "kill -9 of " + pid);
    }
}
