// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** A job gives containers up, and their node takes a while to say that they are gone. */
class SlowNodeTest {
    private static final int ROUNDS = 10;

    @Test
    void nobodyIsStoppedForRoomThatIsAboutToBeThere() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            YarnConfiguration conf = zooKeeper.settings(false, "smd");
            SizedJob.trust(conf);
            conf.set("yarn.scheduler.treadle.smd.capacity-factor", "1");
            conf.set("yarn.scheduler.treadle.power.rescale-seconds", "1");
            try (SchedulerHarness cluster = SchedulerHarness.start(
                    conf, policy -> new WatchedPolicy(policy, snapshot -> rounds.incrementAndGet()))) {
                // Eight vcores beside two ApplicationMasters, of which each job needs four.
                MockNM node = cluster.node(1001, 4, 10, 16_384);
                zooKeeper.devices(cluster, node, "A100", 4);
                SizedJob job =
                        SizedJob.obedient(zooKeeper, cluster, "ml", SizedJob.spec(1, ResourceVector.ZERO, 2), node);
                cluster.awaitTrue("it has more than its least", () -> {
                    cluster.heartbeat();
                    job.beat();
                    return job.on(node.getNodeId()) > 5;
                });
                job.slowNodes();
                SizedJob dear = SizedJob.obedient(
                        zooKeeper, cluster, "ml", SizedJob.spec(1000, ResourceVector.of(2, 4, 0), 2), node);
                cluster.awaitTrue("it is asked for what the other needs", () -> {
                    cluster.heartbeat();
                    job.beat();
                    return job.askedFor() > 0 && job.size().equals("2 + 2");
                });
                long kept = job.on(node.getNodeId());
                int until = rounds.get() + ROUNDS;
                cluster.awaitTrue("some rounds", () -> {
                    cluster.heartbeat();
                    job.beat();
                    dear.beat();
                    return rounds.get() >= until;
                });
                assertEquals(kept, job.on(node.getNodeId()), "it keeps its least");
                assertEquals(0, dear.on(node.getNodeId()));
                job.report();
                cluster.awaitTrue("the other has what it needs", () -> {
                    cluster.heartbeat();
                    job.beat();
                    dear.beat();
                    return dear.on(node.getNodeId()) == 4;
                });
                assertEquals("2 + 2", job.size());
            }
        }
    }

    /** Its NodeManager is dead, which the ResourceManager finds out minutes later. */
    @Test
    void roomThatIsNotThereSoonIsNotPlannedWith() throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            YarnConfiguration conf = zooKeeper.settings(false, "smd");
            SizedJob.trust(conf);
            conf.set("yarn.scheduler.treadle.smd.capacity-factor", "1");
            try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
                List<MockNM> nodes = List.of(cluster.node(1001, 1, 4, 8192), cluster.node(1002, 1, 4, 8192));
                zooKeeper.devices(cluster, nodes.get(0), "A100", 1);
                zooKeeper.devices(cluster, nodes.get(1), "A100", 1);
                SizedJob job = SizedJob.obedient(
                        zooKeeper, cluster, "ml", SizedJob.spec(1, ResourceVector.of(0, 2, 0), 1), nodes.get(0));
                awaitTwo(cluster, job);
                MockNM dead = nodes.stream()
                        .max(Comparator.comparing(node -> job.on(node.getNodeId())))
                        .orElseThrow();
                assertEquals(2, job.on(dead.getNodeId()), "both have room there, and would again");
                cluster.silence(dead);
                job.slowNodes();
                job.losesTouchWith(dead.getNodeId());
                awaitTwo(cluster, job);
                assertEquals(0, job.on(dead.getNodeId()));
            }
        }
    }

    private static void awaitTwo(SchedulerHarness cluster, SizedJob job) throws InterruptedException {
        cluster.awaitTrue("a worker and a server run", () -> {
            cluster.heartbeat();
            job.beat();
            return job.size().equals("1 + 1");
        });
    }
}
