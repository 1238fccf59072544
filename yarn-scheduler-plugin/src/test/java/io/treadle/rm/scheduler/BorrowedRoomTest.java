// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.YarnResources;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What queues whose policies choose the sizes of jobs borrow from others: they count on what nobody holds, up to the queue's
 * maximum. YARN's preemption is off here, without which a borrowed part is kept.
 */
class BorrowedRoomTest {
    private static final String CAPACITY = "yarn.scheduler.capacity.root.";
    /** Rounds in which a queue that gives and takes for nothing would have done so. */
    private static final int CALM = 25;

    private TestZooKeeper zooKeeper;
    private YarnConfiguration conf;

    @SuppressWarnings("NullAway.Init") // each test starts it with settings of its own
    private SchedulerHarness cluster;

    @SuppressWarnings("NullAway.Init") // as the cluster
    private MockNM node;

    @BeforeEach
    void settings() throws Exception {
        zooKeeper = new TestZooKeeper();
        conf = zooKeeper.settings(false, "smd");
        SizedJob.trust(conf);
        conf.set("yarn.scheduler.treadle.smd.trim-delta", "0");
        conf.set("yarn.scheduler.treadle.smd.capacity-factor", "1");
        conf.set("yarn.scheduler.treadle.smd.interval-ms", "200");
        conf.set("yarn.scheduler.treadle.power.rescale-seconds", "1");
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        zooKeeper.close();
    }

    private void start() throws Exception {
        cluster = SchedulerHarness.start(conf);
        node = cluster.node(1001, 8, 40, 16_384);
        zooKeeper.devices(cluster, node, "A100", 8);
    }

    private SizedJob job(String queue, double weight) throws Exception {
        return SizedJob.obedient(zooKeeper, cluster, queue, SizedJob.spec(weight, 0), node);
    }

    private static List<ResourceRequest> gpus(int count) {
        return List.of(ResourceRequest.newBuilder()
                .priority(Priority.newInstance(5))
                .resourceName(ResourceRequest.ANY)
                .capability(YarnResources.resource(ResourceVector.of(1, 1, 256)))
                .numContainers(count)
                .build());
    }

    private void beat(SizedJob... jobs) {
        cluster.heartbeat();
        for (SizedJob job : jobs) {
            job.beat();
        }
    }

    private void awaitSize(SizedJob job, String size, SizedJob... others) throws Exception {
        try {
            cluster.awaitTrue(size, () -> {
                beat(others);
                beat(job);
                return job.size().equals(size);
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; it has " + job.size() + " and " + job.reason(), e);
        }
    }

    private void awaitCalm(SizedJob... jobs) throws Exception {
        List<String> before = sizes(jobs);
        for (int round = 0; round < CALM; round++) {
            beat(jobs);
            Thread.sleep(20);
        }
        assertEquals(before, sizes(jobs));
    }

    private static List<String> sizes(SizedJob... jobs) {
        return Arrays.stream(jobs).map(SizedJob::size).toList();
    }

    /** Another application's containers. */
    private List<Container> awaitOthers(MockAM am, int count, SizedJob... jobs) throws Exception {
        List<Container> others = cluster.awaitContainers(am, count, () -> beat(jobs));
        cluster.launch(others);
        return others;
    }

    @Test
    void aJobHasWhatItsQueueMayBorrowLessWhatOthersHold() throws Exception {
        start();
        MockAM batch = cluster.startApp("plain", Map.of(), gpus(4), node);
        List<Container> others = awaitOthers(batch, 4);
        SizedJob job = job("ml", 10);
        awaitSize(job, "4 + 4");
        awaitCalm(job);
        batch.allocate(List.of(), others.stream().map(Container::getId).toList());
        cluster.complete(others);
        awaitSize(job, "8 + 8");
    }

    @Test
    void withoutPreemptionABorrowedPartIsKeptAndWhatOthersHoldIsNotPlannedWith() throws Exception {
        start();
        SizedJob job = job("ml", 10);
        awaitSize(job, "8 + 8");
        MockAM batch = cluster.startApp("plain", Map.of(), gpus(4), node);
        awaitCalm(job);
        assertEquals(0, job.askedFor());
        assertEquals(List.of(), cluster.pull(batch));
    }

    @Test
    void aQueueNeverGoesBeyondItsMaximum() throws Exception {
        conf.set(CAPACITY + "ml.maximum-capacity", "75");
        start();
        SizedJob job = job("ml", 10);
        awaitSize(job, "6 + 6");
        awaitCalm(job);
        assertTrue(cluster.used().gpus() <= 6);
    }

    /** Its ApplicationMaster needs the seventeenth vcore; the job then counts for more than the one that had them all. */
    @Test
    void aJobThatFillsItsQueueMakesRoomForTheApplicationMasterOfAnother() throws Exception {
        start();
        cluster.lose(node);
        node = cluster.node(1002, 8, 17, 16_384);
        zooKeeper.devices(cluster, node, "A100", 8);
        SizedJob first = job("ml", 1);
        awaitSize(first, "8 + 8");
        ApplicationId next = cluster.submit("ml", SizedJob.spec(1000, 0).toProperties());
        cluster.awaitTrue("its ApplicationMaster has a container", () -> {
            beat(first);
            return cluster.app(next).getCurrentAppAttempt().getMasterContainer() != null;
        });
        awaitCalm(first);
        assertEquals("8 + 7", first.size());
    }
}
