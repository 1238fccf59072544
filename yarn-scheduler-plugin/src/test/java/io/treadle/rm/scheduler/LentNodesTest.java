// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.StandingClock;
import io.treadle.rm.bridge.GangReservation;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.bridge.PowerSight;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.ProfilingTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two nodes of two GPUs have a label that is not exclusive: YARN gives what is idle there to asks without a label. Queue
 * {@code plain} is guaranteed all of these nodes, queue {@code ml} nothing.
 */
class LentNodesTest {
    private static final String LABEL = "gpu";
    private static final int NODES = 2;

    /** @param gpus of the node without a label, on which ApplicationMasters run */
    private static SchedulerHarness start(YarnConfiguration conf, long gpus) throws Exception {
        return start(conf, gpus, UnaryOperator.identity(), Surroundings.REAL);
    }

    private static SchedulerHarness start(
            YarnConfiguration conf, long gpus, UnaryOperator<Policy> around, Surroundings surroundings)
            throws Exception {
        conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
        String root = "yarn.scheduler.capacity.root";
        conf.set(root + ".accessible-node-labels." + LABEL + ".capacity", "100");
        conf.set(root + ".plain.accessible-node-labels", LABEL);
        conf.set(root + ".plain.accessible-node-labels." + LABEL + ".capacity", "100");
        SchedulerHarness cluster = SchedulerHarness.start(conf, around, null, surroundings);
        RMNodeLabelsManager labels = cluster.resourceManager.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabels(Set.of(NodeLabel.newInstance(LABEL, false)));
        cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
        cluster.node(1000, gpus, 64, 65_536);
        for (int i = 1; i <= NODES; i++) {
            // Before it registers: the cluster would be smaller by it than it once was, and nothing would be refused.
            labels.addLabelsToNode(Map.of(NodeId.newInstance("127.0.0.1", 1000 + i), Set.of(LABEL)));
            MockNM node = cluster.node(1000 + i, 2, 16, 65_536);
            cluster.awaitTrue("the node has its label", () -> cluster.scheduler()
                    .getNode(node.getNodeId())
                    .getPartition()
                    .equals(LABEL));
        }
        return cluster;
    }

    private static MockNM masters(SchedulerHarness cluster) {
        return cluster.nodes().get(0);
    }

    private static boolean isLabelled(Container container) {
        return container.getNodeId().getPort() > 1000;
    }

    /** What queue {@code ml} holds of the partition. */
    private static ResourceVector used(SchedulerHarness cluster, String partition) {
        return YarnResources.vector(cluster.scheduler()
                .getQueue(SchedulerHarness.QUEUE)
                .getQueueResourceUsage()
                .getUsed(partition));
    }

    /** As it is without Treadle: this holds of every application but gangs. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void asksOfOthersAreGivenWhatIsIdleThere(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"), 0)) {
            MockAM am = cluster.startApp(
                    "ml", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 512), 4), masters(cluster));
            assertEquals(4, cluster.awaitContainers(am, 4).size());
            assertEquals(4, used(cluster, LABEL).gpus());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, policy {1}")
    @CsvSource({
        "false, fifo+synergy-tune",
        "true, fifo+proportional",
        "true, srtf+synergy-balanced",
        "false, powerflow",
        "false, smd"
    })
    void gangWithoutALabelStartsWholeOnIdleNodes(boolean asynchronous, String policy) throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(asynchronous, policy), 0)) {
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), masters(cluster));
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            assertTrue(members.stream().allMatch(LentNodesTest::isLabelled), members::toString);
            assertEquals(ResourceVector.of(4, 4, 2048), used(cluster, LABEL), "what they asked for and no more");
            assertEquals(0, used(cluster, "").gpus());
            cluster.launch(members);
            cluster.complete(members);
            cluster.awaitTrue("the room is given back", () -> {
                cluster.heartbeat();
                return used(cluster, LABEL).isZero();
            });
        }
    }

    /** The node without a label would be enough, were it empty. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangDoesNotWaitForItsOwnNodesBesideIdleOnes(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"), 4)) {
            GangSpec spec = SchedulerHarness.gang(4, 1, 1, 512);
            MockAM first = cluster.startGang(spec, masters(cluster));
            List<Container> own = cluster.awaitContainers(first);
            assertEquals(4, own.size());
            assertTrue(own.stream().noneMatch(LentNodesTest::isLabelled), "its own nodes come first");
            MockAM second = cluster.startGang(spec, masters(cluster));
            List<Container> lent = cluster.awaitContainers(second);
            assertEquals(4, lent.size());
            assertTrue(lent.stream().allMatch(LentNodesTest::isLabelled), lent::toString);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatNeedsNodesWithAndWithoutTheLabelHasBoth(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"), 2)) {
            MockAM am = cluster.startGang(SchedulerHarness.gang(6, 1, 1, 512), masters(cluster));
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(6, members.size());
            assertEquals(4, members.stream().filter(LentNodesTest::isLabelled).count());
        }
    }

    /** The queue may have half of its own node, and all that is idle elsewhere. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void maximumOfTheQueueHoldsOnItsOwnNodesOnly(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "50");
        try (SchedulerHarness cluster = start(conf, 4)) {
            MockAM am = cluster.startGang(SchedulerHarness.gang(6, 1, 1, 512), masters(cluster));
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(6, members.size());
            assertEquals(2, used(cluster, "").gpus());
            assertEquals(4, used(cluster, LABEL).gpus());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void preemptionEndsTheGangWholeForAsksOfTheLabel(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(GangReservationTest.preempting(asynchronous), 0)) {
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), masters(cluster));
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            cluster.launch(members);
            List<ResourceRequest> labelled = List.of(ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(5))
                    .resourceName(ResourceRequest.ANY)
                    .nodeLabelExpression(LABEL)
                    .capability(YarnResources.resource(ResourceVector.of(1, 1, 512)))
                    .numContainers(2)
                    .build());
            MockAM owner = cluster.startApp("plain", Map.of(), labelled, masters(cluster));
            List<ContainerStatus> ended = new ArrayList<>();
            List<Container> given = new ArrayList<>();
            cluster.awaitTrue("the asks of the label are served", () -> {
                given.addAll(cluster.pull(owner));
                List<ContainerStatus> now = cluster.answer(am).getCompletedContainersStatuses();
                ended.addAll(now);
                finish(cluster, members, now);
                return given.size() == 2 && ended.size() == 4;
            });
            assertTrue(ended.stream().allMatch(status -> status.getExitStatus() == ContainerExitStatus.PREEMPTED));
            assertTrue(given.stream().allMatch(LentNodesTest::isLabelled), given::toString);
        }
    }

    /** Of its own node 8 GPUs are idle, the queue may have 4, and 4 are reserved for another gang. */
    @Test
    void roomThatIsReservedIsNoPartOfWhatTheQueueMayNotHave() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "50");
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        try (SchedulerHarness cluster = start(conf, 8)) {
            MockAM am = cluster.startGang(SchedulerHarness.gang(12, 1, 1, 512), masters(cluster));
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            NoTelemetry telemetry = new NoTelemetry();
            GangReservations reservations = new GangReservations();
            reservations.put(new GangReservation(
                    ApplicationId.newInstance(1, 1),
                    "",
                    Map.of(masters(cluster).getNodeId(), ResourceVector.of(4, 4, 2048)),
                    Long.MAX_VALUE,
                    Set.of(),
                    ResourceVector.ZERO));
            Snapshot snapshot = new SnapshotBuilder(
                            cluster.scheduler().access(),
                            telemetry,
                            new ProfilingTime(telemetry, Duration.ofSeconds(60), new StandingClock()),
                            new MemoryWishes(telemetry, (job, wanted) -> {}),
                            new PowerSight(cluster.scheduler().access(), telemetry, () -> PowerSight.Limits.NONE, 0),
                            reservations,
                            SchedulerConf.from(conf))
                    .buildLent(
                            SchedulerHarness.QUEUE,
                            Set.of(LABEL),
                            List.of(cluster.scheduler().gangs().find(id).orElseThrow()),
                            List.of(),
                            false,
                            0)
                    .orElseThrow();
            assertEquals(
                    List.of(4L, 2L, 2L),
                    snapshot.nodes().stream()
                            .map(node -> node.available().gpus())
                            .toList());
        }
    }

    /** By the sum there is room, and no plan starts it: rounds would plan twice for as long as it waits. */
    @Test
    void gangThatFindsNoRoomThereIsPlannedThereSeldom() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        StandingClock clock = new StandingClock();
        clock.set(1_000);
        AtomicInteger own = new AtomicInteger();
        AtomicInteger lent = new AtomicInteger();
        UnaryOperator<Policy> counted = policy ->
                new WatchedPolicy(policy, snapshot -> (snapshot.nodes().size() > 1 ? lent : own).incrementAndGet());
        try (SchedulerHarness cluster = start(
                conf, 0, counted, new Surroundings(clock, System::nanoTime, new NoTelemetry(), () -> true, false))) {
            // Of its tasks each of the two nodes has room for one.
            cluster.startGang(SchedulerHarness.gang(3, 1, 10, 512), masters(cluster));
            for (int plans = 1; plans <= 3; plans++) {
                int expected = plans;
                cluster.awaitTrue("it is planned there", () -> {
                    cluster.heartbeat();
                    // The first time it waits for its own nodes first, from the end of its first round on.
                    if (expected == 1 && own.get() > 1) {
                        clock.set(1_002);
                    }
                    return lent.get() == expected;
                });
                int rounds = own.get();
                cluster.awaitTrue("ten more rounds", () -> own.get() >= rounds + 10);
                assertEquals(plans, lent.get());
                clock.set(clock.instant().getEpochSecond() + 4);
            }
        }
    }

    @Test
    void gangThatNotEvenTheseNodesHoldIsRefused() throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(false, "fifo+synergy-tune"), 0)) {
            ApplicationId id =
                    cluster.submit("ml", SchedulerHarness.gang(5, 1, 1, 512).toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.FAILED);
            String why = cluster.app(id).getDiagnostics().toString();
            assertTrue(why.contains("needs 5 × (1 GPU, 1 vcore, 512 MiB), the whole cluster has room for 4"), why);
        }
    }

    /** Hadoop keeps the room of a container until its node has ended it. */
    private static void finish(SchedulerHarness cluster, List<Container> members, List<ContainerStatus> ended) {
        try {
            cluster.complete(members.stream()
                    .filter(member -> ended.stream()
                            .anyMatch(status -> status.getContainerId().equals(member.getId())))
                    .toList());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
