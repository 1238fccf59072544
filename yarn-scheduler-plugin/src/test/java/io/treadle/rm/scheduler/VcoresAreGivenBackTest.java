// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.StandingClock;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.profile.NoTelemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What jobs have beyond their asks is not kept from queues that are guaranteed it. */
class VcoresAreGivenBackTest {
    private static final long NODE_VCORES = 18;
    private static final long MASTERS = 2;
    private static final String PLAIN = "yarn.scheduler.capacity.root.plain.";

    /** @param asked vcores that the other application asks for, one each; its queue is guaranteed half of the node */
    @ParameterizedTest(name = "asynchronous scheduling {0}, {1} vcores")
    @CsvSource({"false, 4, 4", "true, 4, 4", "false, 30, 8"})
    void toTheQueueThatIsGuaranteedThem(boolean asynchronous, int asked, int least) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+proportional"))) {
            MockNM node = cluster.node(1001, 2, NODE_VCORES, 65_536);
            MockAM am = runJob(cluster, node, 512);
            MockAM other = cluster.startApp("plain", Map.of(), List.of(), node);
            awaitFull(cluster, NODE_VCORES);
            other.allocate(
                    List.of(ResourceRequest.newBuilder()
                            .priority(Priority.newInstance(1))
                            .resourceName(ResourceRequest.ANY)
                            .capability(YarnResources.resource(ResourceVector.of(0, 1, 64)))
                            .numContainers(asked)
                            .build()),
                    List.of());
            List<Container> got = new ArrayList<>();
            cluster.awaitTrue("the other application has what its queue is guaranteed", () -> {
                try {
                    got.addAll(cluster.pull(other));
                    am.allocate(List.of(), List.of());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return got.size() >= least;
            });
            assertTrue(cluster.used().vcores() <= NODE_VCORES);
            assertEquals(2, cluster.used().gpus());
            assertTrue(cluster.used().vcores() >= got.size() + MASTERS + 2 * 2, "no task is below its ask");
        }
    }

    /** Beyond the guarantees each container that waits finds room, one after the other, whatever it asks for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void toContainersOfQueuesThatHaveWhatTheyAreGuaranteed(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        conf.set("yarn.scheduler.capacity.root.ml.capacity", "95");
        conf.set(PLAIN + "capacity", "5");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, NODE_VCORES, 65_536);
            MockAM am = runJob(cluster, node, 512);
            MockAM other = cluster.startApp("plain", Map.of(), List.of(), node);
            awaitFull(cluster, NODE_VCORES);
            cluster.ask(other, SchedulerHarness.asks(ResourceVector.of(0, 4, 64), 3));
            cluster.awaitContainers(other, 3, () -> cluster.answer(am));
            assertEquals(
                    ResourceVector.of(2, NODE_VCORES, 0),
                    cluster.used().withMemoryMiB(0),
                    "the job has what it asked for, and no less");
        }
    }

    /** Its queue counts what YARN has reserved as held, and has no room for the ask a second time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void toAnAskThatYarnHasReservedTheNodeFor(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        conf.set("yarn.scheduler.capacity.root.ml.capacity", "95");
        conf.set(PLAIN + "capacity", "5");
        conf.set(PLAIN + "maximum-capacity", "40");
        // YARN reserves no node that is full.
        conf.set("yarn.scheduler.treadle.node.spare-vcores", "2");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, NODE_VCORES, 65_536);
            MockAM am = runJob(cluster, node, 512);
            MockAM other = cluster.startApp("plain", Map.of(), List.of(), node);
            awaitFull(cluster, NODE_VCORES - 2);
            // Vcores are left of the cluster, and nobody finds memory there.
            cluster.node(1002, 0, 4, 64);
            cluster.ask(other, SchedulerHarness.asks(ResourceVector.of(0, 4, 512), 1));
            cluster.awaitTrue("YARN reserves the node", () -> {
                cluster.answer(am);
                return cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() != null;
            });
            cluster.awaitContainers(other, 1, () -> cluster.answer(am));
        }
    }

    /** At their asks the jobs leave 12 vcores. An ask of 13 waits for more than that, and nothing that they give back is of use to it. */
    @ParameterizedTest
    @CsvSource({"5, 13, 64, 0", "5, 12, 64, 12", "5, 4, 70000, 0", "50, 4, 70000, 0", "50, 13, 64, 0", "50, 8, 64, 8"})
    void toNobodyWhomItDoesNotHelp(int guarantee, int vcores, int memoryMiB, int kept) throws Exception {
        assertEquals(kept, keptFor(2, guarantee, ResourceVector.of(0, vcores, memoryMiB)));
    }

    /** Of the node's GPUs two are taken. */
    @ParameterizedTest
    @CsvSource({"2, 8, 0", "3, 8, 8", "3, 13, 0", "3, 2, 0"})
    void toAsksWithGpusWhereGpusAreIdle(int gpusOfNode, int vcores, int kept) throws Exception {
        assertEquals(kept, keptFor(gpusOfNode, 5, ResourceVector.of(1, vcores, 64)));
    }

    /** Its own queue is guaranteed a twentieth of that: one of a single user below one of all. */
    @ParameterizedTest
    @CsvSource({"50, 6", "5, 2"})
    void toWhomTheQueueAboveItsOwnIsGuaranteedThem(int guarantee, int kept) throws Exception {
        YarnConfiguration conf = guaranteed(guarantee);
        divide(conf);
        assertEquals(kept, keptFor(2, conf, "few", ResourceVector.of(0, 2, 64), 3));
    }

    private static void divide(YarnConfiguration conf) {
        conf.set(PLAIN + "queues", "few,many");
        conf.set(PLAIN + "few.capacity", "5");
        conf.set(PLAIN + "few.user-limit-factor", "100");
        conf.set(PLAIN + "many.capacity", "95");
    }

    /** @param guarantee of the queue that asks, percent */
    private static long keptFor(int gpusOfNode, int guarantee, ResourceVector ask) throws Exception {
        return keptFor(gpusOfNode, guaranteed(guarantee), "plain", ask, 1);
    }

    private static YarnConfiguration guaranteed(int percent) {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+proportional");
        conf.set("yarn.scheduler.capacity.root.ml.capacity", Integer.toString(100 - percent));
        conf.set(PLAIN + "capacity", Integer.toString(percent));
        return conf;
    }

    private static long keptFor(
            int gpusOfNode, YarnConfiguration conf, String queue, ResourceVector ask, int containers) throws Exception {
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 131_072);
        StandingClock clock = new StandingClock();
        List<Long> keptFree = new CopyOnWriteArrayList<>();
        try (SchedulerHarness cluster = watched(conf, clock, keptFree)) {
            MockNM node = cluster.node(1001, gpusOfNode, NODE_VCORES, 131_072);
            MockAM am = runJob(cluster, node, 65_000);
            MockAM other = cluster.startApp(queue, Map.of(), List.of(), node);
            cluster.node(1002, 0, 1, 131_072);
            cluster.ask(other, SchedulerHarness.asks(ask, containers));
            awaitRounds(cluster, am, keptFree);
            clock.set(10);
            awaitRounds(cluster, am, keptFree);
            return keptFree.get(keptFree.size() - 1);
        }
    }

    /** @param keptFree gets what each round keeps free on the first node, in vcores */
    private static SchedulerHarness watched(YarnConfiguration conf, StandingClock clock, List<Long> keptFree) {
        return SchedulerHarness.start(
                conf,
                policy -> new WatchedPolicy(
                        policy,
                        snapshot ->
                                keptFree.add(snapshot.nodes().get(0).keptFree().vcores())),
                null,
                new Surroundings(clock, System::nanoTime, new NoTelemetry(), () -> true, false));
    }

    private static void awaitRounds(SchedulerHarness cluster, MockAM am, List<Long> rounds)
            throws InterruptedException {
        int before = rounds.size();
        cluster.awaitTrue("rounds", () -> {
            cluster.answer(am);
            return rounds.size() > before + 3;
        });
    }

    /** Without it the next job could not even be chosen. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void toTheNextMasterOfTheirOwnQueue(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+proportional"))) {
            MockNM node = cluster.node(1001, 2, NODE_VCORES - 1, 65_536);
            MockAM am = runJob(cluster, node, 512);
            awaitFull(cluster, NODE_VCORES - 1);
            ApplicationId next = cluster.submit("ml", job(512).toProperties());
            awaitMaster(cluster, am, next);
        }
    }

    /**
     * The other queue waits for GPUs, of which none is free. CapacityScheduler keeps all that this queue may have from the job's own
     * queue, and with what the job has beyond its asks that is all there is.
     */
    @ParameterizedTest
    @CsvSource({"false, plain", "true, plain", "false, few"})
    void toTheirOwnQueueWhereAnotherIsBlocked(boolean asynchronous, String blocked) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        conf.set(PLAIN + "maximum-capacity", "70");
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 65_536);
        if (!blocked.equals("plain")) {
            divide(conf);
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, NODE_VCORES, 65_536);
            // CapacityScheduler compares queues' limits by the kind that is scarcest: that is not to be memory.
            MockAM am = runJob(cluster, node, 20_000);
            awaitMaster(cluster, am, submitBesideBlocked(cluster, node, blocked));
        }
    }

    /** CapacityScheduler serves the queue first that holds less of what it is guaranteed: with its ask alone that is the job's. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void toTheirOwnQueueThatComesLaterBecauseOfThem(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+proportional"))) {
            MockNM node = cluster.node(1001, 2, 41, 65_536);
            MockAM am = runJob(cluster, node, 512);
            awaitFull(cluster, 41);
            MockAM other = cluster.startApp("plain", Map.of(), List.of(), cluster.node(1002, 6, 7, 65_536));
            cluster.ask(other, SchedulerHarness.asks(ResourceVector.of(1, 1, 64), 7));
            cluster.awaitContainers(other, 6, () -> cluster.answer(am));
            cluster.node(1003, 0, 4, 65_536);
            awaitMaster(cluster, am, cluster.submit("ml", Map.of()));
        }
    }

    /** Without the job nothing would be left to its queue either: the other one may have all of the cluster. */
    @Test
    void forAWhileWhereItHelpsNobody() throws Exception {
        StandingClock clock = new StandingClock();
        List<Long> keptFree = new CopyOnWriteArrayList<>();
        try (SchedulerHarness cluster =
                watched(SchedulerHarness.settings(false, "fifo+proportional"), clock, keptFree)) {
            MockNM node = cluster.node(1001, 2, NODE_VCORES, 65_536);
            MockAM am = runJob(cluster, node, 512);
            submitBesideBlocked(cluster, node, "plain");
            List<Long> kept = new ArrayList<>();
            for (int seconds : new int[] {0, 4, 8, 30, 34, 59, 61, 599, 605, 610}) {
                clock.set(seconds);
                awaitRounds(cluster, am, keptFree);
                kept.add(keptFree.get(keptFree.size() - 1));
            }
            assertEquals(List.of(0L, 0L, 30L, 30L, 30L, 30L, 0L, 0L, 0L, 30L), kept);
        }
    }

    private static void awaitMaster(SchedulerHarness cluster, MockAM running, ApplicationId id)
            throws InterruptedException {
        cluster.awaitTrue("the next ApplicationMaster has its container", () -> {
            cluster.answer(running);
            return cluster.app(id).getCurrentAppAttempt().getMasterContainer() != null;
        });
    }

    private static ApplicationId submitBesideBlocked(SchedulerHarness cluster, MockNM node, String blocked)
            throws Exception {
        MockAM other = cluster.startApp(blocked, Map.of(), List.of(), node);
        awaitFull(cluster, NODE_VCORES);
        cluster.ask(other, SchedulerHarness.asks(ResourceVector.of(1, 1, 64), 10));
        cluster.node(1002, 0, 12, 65_536);
        return cluster.submit("ml", Map.of());
    }

    /** It asks for 4 vcores and two GPUs. */
    private static GangSpec job(int memoryMiB) {
        return SchedulerHarness.gang(2, 1, 2, memoryMiB);
    }

    private static MockAM runJob(SchedulerHarness cluster, MockNM node, int memoryMiB) throws Exception {
        MockAM am = cluster.startGang(job(memoryMiB), node);
        cluster.launch(cluster.awaitContainers(am));
        return am;
    }

    private static void awaitFull(SchedulerHarness cluster, long vcores) throws InterruptedException {
        cluster.awaitTrue("the job has all that is left", () -> {
            cluster.heartbeat();
            return cluster.used().vcores() == vcores;
        });
    }
}
