// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.StatusReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue is guaranteed comes to its gangs also where another queue is never idle, with YARN's preemption on and off. */
class GangReservationTest {
    private static final int NODES = 4;
    private static final int VCORES = 16;
    /** Beats in which a scheduler that preempts without end would have done so again. */
    private static final int CALM = 60;

    static YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        conf.set("yarn.scheduler.treadle.reservation.after-ms", "100");
        return conf;
    }

    static YarnConfiguration preempting(boolean asynchronous) {
        YarnConfiguration conf = settings(asynchronous);
        conf.setBoolean("yarn.resourcemanager.scheduler.monitor.enable", true);
        conf.setInt("yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval", 100);
        conf.setInt("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill", 100);
        conf.setFloat("yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round", 1);
        return conf;
    }

    static List<MockNM> nodes(SchedulerHarness cluster) throws Exception {
        List<MockNM> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(cluster.node(1001 + i, 0, VCORES, 65_536));
        }
        return nodes;
    }

    /** Until it holds all that the cluster has. */
    static BusyApplication fill(SchedulerHarness cluster, long vcores, int beats, MockNM amNode) throws Exception {
        BusyApplication busy =
                BusyApplication.start(cluster, "plain", ResourceVector.of(0, vcores, 256), beats, amNode);
        cluster.awaitTrue("the cluster is full", () -> {
            cluster.heartbeat();
            busy.beat();
            // Containers that end at each beat leave a few vcores free at any time.
            return cluster.used().vcores() >= NODES * VCORES - 8;
        });
        return busy;
    }

    static List<Container> awaitGang(SchedulerHarness cluster, MockAM am, BusyApplication busy)
            throws InterruptedException {
        List<Container> members = new ArrayList<>();
        cluster.awaitTrue("the gang starts", () -> {
            cluster.heartbeat();
            busy.beat();
            members.addAll(cluster.pull(am));
            return !members.isEmpty();
        });
        return members;
    }

    /** So many beats, in which these get nothing. */
    static void calm(SchedulerHarness cluster, BusyApplication busy, List<MockAM> waiting) throws InterruptedException {
        int[] beats = {0};
        cluster.awaitTrue("time has passed", () -> {
            cluster.heartbeat();
            busy.beat();
            waiting.forEach(am -> assertEquals(List.of(), cluster.pull(am)));
            return ++beats[0] >= CALM;
        });
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangWithinItsQueuesGuaranteeStartsBesideAQueueThatIsNeverIdle(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            // Its ApplicationMaster comes first: one that waits for room is CapacityScheduler's matter.
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 1, 12, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, awaitGang(cluster, am, busy).size());
            assertTrue(busy.ended() > 0);
            assertEquals(0, busy.preempted());
            cluster.awaitTrue("a gang that runs has nothing reserved", () -> {
                cluster.heartbeat();
                return cluster.reservations().isEmpty();
            });
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangGetsGpusBesideAnApplicationThatAlwaysTakesThoseThatAreFree(boolean asynchronous) throws Exception {
        long gpusOfNode = 4;
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM masters = cluster.node(1000, 0, 4, 8_192);
            for (int i = 1; i <= NODES; i++) {
                cluster.node(1000 + i, gpusOfNode, VCORES, 65_536);
            }
            // Single GPUs come free at each beat, three of a node at once hardly ever.
            GangSpec spec = SchedulerHarness.gang(2, 3, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), masters);
            BusyApplication busy = BusyApplication.start(cluster, "plain", ResourceVector.of(1, 1, 256), 12, masters);
            cluster.awaitTrue("nearly all GPUs are taken", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().gpus() >= NODES * gpusOfNode - 3;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(2, awaitGang(cluster, am, busy).size());
            assertEquals(0, busy.preempted());
            assertTrue(cluster.used().gpus() <= NODES * gpusOfNode, () -> cluster.used()
                    .describe());
        }
    }

    /** In a large cluster a policy takes longer for a plan than the planner waits for it at a time. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangOfASlowPolicyStartsBesideAQueueThatIsNeverIdle(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(
                settings(asynchronous), policy -> new WatchedPolicy(policy, snapshot -> takeLong()))) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 1, 12, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, awaitGang(cluster, am, busy).size());
        }
    }

    private static void takeLong() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400));
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void preemptionEndsOnceWhatTheGangNeedsAndNoMore(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(preempting(asynchronous))) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 2, 0, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, awaitGang(cluster, am, busy).size());
            calm(cluster, busy, List.of());
            // 4 × 4 vcores of executors with 2 each; what was free before may spare one a node.
            assertTrue(busy.preempted() <= 8, () -> busy.preempted() + " executors were preempted");
            QueueMetrics metrics = cluster.scheduler().getRootQueue().getMetrics();
            assertTrue(metrics.getPendingVirtualCores() >= 0, "pending demand is what is asked for");
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nothingIsPreemptedForAGangBeyondItsQueuesGuarantee(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(preempting(asynchronous))) {
            MockNM node = nodes(cluster).get(0);
            // 36 of 64 vcores, of which the queue is guaranteed half.
            GangSpec spec = SchedulerHarness.gang(3, 0, 12, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 2, 0, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            calm(cluster, busy, List.of(am));
            assertEquals(0, busy.preempted());
            assertTrue(cluster.reservations().isEmpty());
        }
    }

    /**
     * YARN reserves another node for an executor that has no room there: that counts as held by all queues above, and would keep the gang
     * from room that is free for it.
     */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roomThatIsFreeOnANodeIsNotHeldUpByWhatYarnReservesOnAnother(boolean asynchronous) throws Exception {
        YarnConfiguration conf = preempting(asynchronous);
        // The node with GPUs comes after the ApplicationMasters have their places.
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, 12, 65_536);
            GangSpec spec = SchedulerHarness.gang(2, 1, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM spark = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.node(1002, 4, 12, 65_536);
            // Two beside the masters, where two vcores are left, and three on the node with GPUs.
            cluster.ask(spark, SchedulerHarness.asks(ResourceVector.of(0, 4, 256), 6));
            cluster.launch(cluster.awaitContainers(spark, 5));
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(
                    2,
                    cluster.awaitContainers(am, 2, () -> endPreempted(cluster, spark))
                            .size());
            assertEquals(2, preempted.size());
        }
    }

    private final List<ContainerId> preempted = new ArrayList<>();
    private final Deque<ContainerId> ending = new ArrayDeque<>();
    private int beatsInVain;

    /** Its nodes end what YARN has ended, once YARN has reserved the other node or will not, and it asks again, as Spark does. */
    private void endPreempted(SchedulerHarness cluster, MockAM spark) {
        try {
            for (ContainerStatus status : spark.allocate(
                            SchedulerHarness.asks(ResourceVector.of(0, 4, 256), 1), List.of())
                    .getCompletedContainersStatuses()) {
                preempted.add(status.getContainerId());
                ending.add(status.getContainerId());
            }
            boolean isReserved = cluster.scheduler()
                            .getNode(cluster.nodes().get(0).getNodeId())
                            .getReservedContainer()
                    != null;
            if (!ending.isEmpty() && (isReserved || ++beatsInVain > 50)) {
                ContainerId next = ending.remove();
                for (MockNM node : cluster.nodes()) {
                    node.nodeHeartbeat(next.getApplicationAttemptId(), next.getContainerId(), ContainerState.COMPLETE);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * An application with a higher priority has containers of its queue's others ended for it, where YARN is told so: a plain one. A gang
     * could not use them one by one, and they would be ended again and again.
     */
    @ParameterizedTest(name = "asynchronous scheduling {0}, a gang waits {1}")
    @CsvSource({"false, false", "false, true", "true, true"})
    void nothingOfItsOwnQueueIsPreemptedForAGang(boolean asynchronous, boolean isGang) throws Exception {
        YarnConfiguration conf = preempting(asynchronous);
        // YARN ends nothing in a queue that holds none of some type of resource.
        conf.set("yarn.resource-types", "yarn.io/gpu");
        conf.setInt(YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, 10);
        String within = "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.";
        conf.setBoolean(within + "enabled", true);
        conf.set(within + "preemption-order-policy", "priority_first");
        conf.setFloat(within + "minimum-threshold", 0);
        conf.setFloat(within + "max-allowable-limit", 1);
        conf.set("yarn.scheduler.capacity.root.ml.capacity", "100");
        conf.set("yarn.scheduler.capacity.root.plain.capacity", "0");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 12, VCORES, 65_536);
            GangSpec spec = SchedulerHarness.gang(2, 2, 1, 512);
            MockAM am = cluster.startApp("ml", isGang ? spec.toProperties() : Map.of(), List.of(), node);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            cluster.scheduler()
                    .updateApplicationPriority(
                            Priority.newInstance(5),
                            id,
                            SettableFuture.create(),
                            UserGroupInformation.createRemoteUser(
                                    cluster.app(id).getUser()));
            BusyApplication busy = BusyApplication.start(cluster, "ml", ResourceVector.of(1, 1, 256), 0, node);
            cluster.awaitTrue("all GPUs are taken", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().gpus() == 12;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            if (isGang) {
                calm(cluster, busy, List.of(am));
                assertEquals(0, busy.preempted());
            } else {
                cluster.awaitTrue("they are ended for a plain application", () -> {
                    cluster.heartbeat();
                    busy.beat();
                    return busy.preempted() > 0;
                });
            }
        }
    }

    /** As the page and REST show it, node by node. */
    private static ResourceVector kept(SchedulerHarness cluster) {
        return cluster.scheduler().report().nodes().stream()
                .map(StatusReport.Node::kept)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** Two whose room never becomes free would take all turns, one while the other waits for its next. */
    @Test
    void eachGangOfAQueueComesToItsTurn() throws Exception {
        YarnConfiguration conf = settings(false);
        conf.set("yarn.scheduler.treadle.reservation.max-seconds", "1");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            List<MockAM> gangs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                gangs.add(cluster.startApp("ml", spec.toProperties(), List.of(), node));
            }
            fill(cluster, 2, 0, node);
            for (MockAM gang : gangs) {
                gang.allocate(SchedulerHarness.requests(spec), List.of());
            }
            Set<ApplicationId> served = new HashSet<>();
            cluster.awaitTrue("room has been reserved for each", () -> {
                cluster.heartbeat();
                cluster.reservations().forEach(reservation -> served.add(reservation.gang()));
                return served.size() == gangs.size();
            });
        }
    }

    /** A gang is moved with its room into a queue where room is reserved for another. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roomIsReservedForOneGangOfAQueueAlsoAfterAMove(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        String root = "yarn.scheduler.capacity.root";
        conf.set(root + ".queues", "ml,other,plain");
        conf.set(root + ".ml.capacity", "30");
        conf.set(root + ".other.capacity", "30");
        conf.set(root + ".other.maximum-capacity", "100");
        conf.set(root + ".other.user-limit-factor", "10");
        conf.set(root + ".other.treadle.policy", "fifo+proportional");
        conf.set(root + ".plain.capacity", "40");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            // With its master each has all that its queue is guaranteed, or nearly so: the queue owes room to one at a
            // time.
            GangSpec spec = SchedulerHarness.gang(2, 0, 8, 512);
            MockAM first = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM second = cluster.startApp("other", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 1, 0, node);
            first.allocate(SchedulerHarness.requests(spec), List.of());
            second.allocate(SchedulerHarness.requests(spec), List.of());
            // The one that was submitted first goes to the other's queue.
            ApplicationId moves = first.getApplicationAttemptId().getApplicationId();
            ApplicationId stays = second.getApplicationAttemptId().getApplicationId();
            cluster.awaitTrue("room is reserved for both", () -> {
                cluster.heartbeat();
                return cluster.scheduler().reservations().of(stays).isPresent()
                        && cluster.scheduler().reservations().of(moves).isPresent();
            });
            cluster.scheduler().preValidateMoveApplication(moves, "other");
            cluster.scheduler().moveApplication(moves, "other");
            cluster.awaitTrue("one of them has room reserved", () -> {
                cluster.heartbeat();
                return cluster.reservations().size() == 1;
            });
            assertTrue(
                    cluster.scheduler().reservations().of(stays).isPresent(), "the one that was there keeps its room");
            assertEquals(0, busy.preempted());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roomIsGivenUpAfterItsTimeAndReasonAndNodesNameIt(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        conf.set("yarn.scheduler.treadle.reservation.max-seconds", "1");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 2, 0, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            var id = am.getApplicationAttemptId().getApplicationId();
            cluster.awaitTrue("room is reserved", () -> {
                cluster.heartbeat();
                return cluster.scheduler()
                                .gangs()
                                .find(id)
                                .orElseThrow()
                                .reason()
                                .contains("Room is reserved for it on ")
                        && kept(cluster).equals(ResourceVector.of(0, 16, 2048))
                        && cluster.reservations().size() == 1;
            });
            cluster.awaitTrue("room is given up", () -> {
                cluster.heartbeat();
                return cluster.reservations().isEmpty();
            });
            assertEquals(0, busy.preempted());
        }
    }

    /**
     * YARN reserves a node whole, also for what it has too little of in one dimension only. The application, whose queue has
     * more than its guarantee, waits for a GPU; the gang needs none and waits for the node.
     */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeThatKeepsRoomForAGangIsReservedForNobodyElse(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = cluster.node(1001, 3, VCORES, 65_536);
            // With GPUs for the queue's limit, so that YARN reserves, and too little memory for any container.
            cluster.node(1002, 2, VCORES, 100);
            GangSpec spec = SchedulerHarness.gang(2, 0, 2, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication waits = BusyApplication.start(cluster, "plain", ResourceVector.of(1, 1, 256), 0, node);
            cluster.awaitTrue("the node is reserved", () -> {
                cluster.heartbeat();
                waits.beat();
                return waits.running() == 3
                        && cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() != null;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(2, awaitGang(cluster, am, waits).size());
            cluster.awaitTrue("the node is reserved again", () -> {
                cluster.heartbeat();
                waits.beat();
                return cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() != null;
            });
        }
    }

    /** An application that was there first asks for a place that no node is: it would wait for ever, and with it all gangs behind it. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roomIsFreedForAGangBehindAnAskThatNoNodeCanServe(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(preempting(asynchronous))) {
            MockNM node = nodes(cluster).get(0);
            MockAM first = cluster.startApp("ml", Map.of(), List.of(), node);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            first.allocate(
                    List.of(onlyAt("gone", true), onlyAt("/default-rack", false), onlyAt(ResourceRequest.ANY, false)),
                    List.of());
            BusyApplication busy = fill(cluster, 2, 0, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, awaitGang(cluster, am, busy).size());
        }
    }

    private static ResourceRequest onlyAt(String place, boolean relaxes) {
        return ResourceRequest.newInstance(Priority.newInstance(1), place, Resource.newInstance(256, 1), 1, relaxes);
    }
}
