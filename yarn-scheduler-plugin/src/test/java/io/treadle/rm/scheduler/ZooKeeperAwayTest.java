// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ZkPaths;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ZooKeeper comes and goes; gangs are granted all the same, and what was to be written is written in the end. */
class ZooKeeperAwayTest {
    private LogLines complaints;
    private TestZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
        // Of the classes that talk to ZooKeeper.
        complaints = new LogLines("io.treadle.rm.profile", Level.WARN);
    }

    @AfterEach
    void stop() throws Exception {
        complaints.close();
        zooKeeper.close();
    }

    private boolean isOneThatSaysAway() {
        List<String> lines = complaints.lines().stream()
                .filter(line -> !line.startsWith("yarn.treadle.zk-digest-file"))
                .toList();
        return lines.size() == 1 && lines.get(0).startsWith("ZooKeeper at ");
    }

    private static GangSpec tagged() {
        return new GangSpec(
                List.of(new GangSpec.Group("worker", 1, 1, ResourceVector.of(1, 1, 512), List.of())),
                "resnet",
                0,
                false,
                0,
                "");
    }

    @Test
    void awayAtTheStart() throws Exception {
        zooKeeper.server.stop();
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-tune")) {
            MockNM node = cluster.node(1001, 2, 9, 8192);
            MockAM am = cluster.startGang(tagged(), node);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(1, members.size());
            cluster.launch(members);
            cluster.awaitTrue("the log says once that ZooKeeper is away", this::isOneThatSaysAway);

            zooKeeper.server.restart();
            String job =
                    ZkPaths.job(am.getApplicationAttemptId().getApplicationId().toString());
            cluster.awaitTrue(
                    "the job's node is made", () -> zooKeeper.read(job).isPresent());
            zooKeeper.devices(cluster, node, "A100", 2);
            assertTrue(isOneThatSaysAway(), () -> complaints.lines().toString());
        }
    }

    @Test
    void awayDuringTheRun() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-tune")) {
            MockNM node = cluster.node(1001, 2, 9, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM first = cluster.startGang(tagged(), node);
            cluster.launch(cluster.awaitContainers(first));
            String ended = ZkPaths.job(
                    first.getApplicationAttemptId().getApplicationId().toString());
            cluster.awaitTrue(
                    "the job has its node", () -> zooKeeper.read(ended).isPresent());

            zooKeeper.server.stop();
            cluster.awaitTrue("the log says once that ZooKeeper is away", this::isOneThatSaysAway);
            MockAM second = cluster.startGang(tagged(), node);
            List<Container> members = cluster.awaitContainers(second);
            assertEquals(1, members.size(), "rounds go on");
            assertEquals(
                    1,
                    cluster.scheduler()
                            .getRMContainer(members.get(0).getId())
                            .getAllocationTags()
                            .size(),
                    "devices are chosen by what was said last");
            cluster.resourceManager.killApp(first.getApplicationAttemptId().getApplicationId());

            zooKeeper.server.restart();
            String started = ZkPaths.job(
                    second.getApplicationAttemptId().getApplicationId().toString());
            cluster.awaitTrue(
                    "the job that came meanwhile has its node, the one that went has none",
                    () -> zooKeeper.read(started).isPresent()
                            && zooKeeper.read(ended).isEmpty());
            assertTrue(isOneThatSaysAway(), () -> complaints.lines().toString());
        }
    }
}
