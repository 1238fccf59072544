// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static io.treadle.rm.scheduler.GangReservationTest.awaitGang;
import static io.treadle.rm.scheduler.GangReservationTest.fill;
import static io.treadle.rm.scheduler.GangReservationTest.nodes;
import static io.treadle.rm.scheduler.GangReservationTest.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What would keep a gang from room that it is owed, for ever: each time the gang starts beside an application that takes all. */
class OwedRoomTest {
    private static final int VCORES = 16;
    private static final int LONG_LIVED_MS = 4_000;

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void lostTaskOfARunningGangIsReplaced(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = nodes(cluster).get(0);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 0, 7, 512), node);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            cluster.launch(members);
            BusyApplication busy = fill(cluster, 1, 12, node);
            long full = cluster.used().vcores();
            cluster.complete(members.subList(0, 1));
            cluster.awaitTrue("its room is taken", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().vcores() >= full - 2;
            });
            am.allocate(SchedulerHarness.requests(SchedulerHarness.gang(1, 0, 7, 512)), List.of());
            assertEquals(1, awaitGang(cluster, am, busy).size());
        }
    }

    /** The node with a GPU, which nobody uses, never has room; another has in a moment. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roomIsNotSoughtUnderWhatHasRunForLong(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        conf.set("yarn.scheduler.treadle.reservation.max-seconds", Integer.toString(LONG_LIVED_MS / 1000));
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = cluster.node(1001, 1, VCORES, 65_536);
            GangSpec spec = SchedulerHarness.gang(3, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), first);
            MockAM service =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 10, 512), 1), first);
            List<Container> held = cluster.awaitContainers(service);
            cluster.launch(held);
            cluster.node(1002, 0, VCORES, 65_536);
            BusyApplication busy = BusyApplication.start(cluster, "plain", ResourceVector.of(0, 1, 256), 6, first);
            long since = cluster.scheduler().getRMContainer(held.get(0).getId()).getCreationTime();
            cluster.awaitTrue("the service has run for long, beside a full node", () -> {
                cluster.heartbeat();
                busy.beat();
                return System.currentTimeMillis() - since > LONG_LIVED_MS
                        && cluster.used().vcores() >= 2 * VCORES - 4;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(3, awaitGang(cluster, am, busy).size());
        }
    }

    /** The first gang wants none of the nodes. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatFitsNowhereDoesNotHoldUpTheNextOfASlowPolicy(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        try (SchedulerHarness cluster = SchedulerHarness.start(
                conf,
                policy -> new WatchedPolicy(
                        policy, snapshot -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600))))) {
            MockNM node = nodes(cluster).get(0);
            GangSpec nowhere = SchedulerHarness.gang(1, 0, 4, 512);
            MockAM first = cluster.startApp("ml", nowhere.toProperties(), List.of(), node);
            GangSpec spec = SchedulerHarness.gang(3, 0, 4, 512);
            MockAM second = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 1, 12, node);
            first.allocate(AllocateRequest.newInstance(
                    0,
                    0,
                    SchedulerHarness.requests(nowhere),
                    List.of(),
                    ResourceBlacklistRequest.newInstance(List.of("127.0.0.1"), List.of())));
            second.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(3, awaitGang(cluster, second, busy).size());
        }
    }

    /** It waits for a GPU, of which the gang needs none. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeIsNotReservedForALaterApplicationOfTheQueue(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = cluster.node(1001, 2, VCORES, 65_536);
            // With GPUs for the queue's limit, so that YARN reserves, and too little memory for any container.
            cluster.node(1002, 2, VCORES, 100);
            GangSpec spec = SchedulerHarness.gang(2, 0, 2, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM holder =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 256), 2), node);
            List<Container> held = new ArrayList<>();
            cluster.awaitTrue("the GPUs are taken", () -> {
                held.addAll(cluster.pull(holder));
                return held.size() == 2;
            });
            cluster.launch(held);
            BusyApplication later = BusyApplication.start(cluster, "ml", ResourceVector.of(1, 1, 256), 0, node);
            cluster.awaitTrue("the node is reserved for it", () -> {
                cluster.heartbeat();
                later.beat();
                var reserved = cluster.scheduler().getNode(node.getNodeId()).getReservedContainer();
                return reserved != null && reserved.getQueueName().endsWith("ml");
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(2, awaitGang(cluster, am, later).size());
        }
    }

    /** The nodes have room: the maximum of the queue, or of the one above it, is in the way. */
    @ParameterizedTest(name = "asynchronous scheduling {0}, the other application in {1}")
    @CsvSource({"false, ml", "true, ml", "false, batch", "true, batch"})
    void roomBelowAQueuesMaximumIsKeptToo(boolean asynchronous, String where) throws Exception {
        YarnConfiguration conf = parentAtItsMaximum(asynchronous);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            // 12 vcores of the 16 that the queue is guaranteed, of 32 that the queue above may have.
            GangSpec spec = SchedulerHarness.gang(3, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = BusyApplication.start(cluster, where, ResourceVector.of(0, 1, 256), 12, node);
            cluster.awaitTrue("the queue above is full", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().vcores() >= 30;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(3, awaitGang(cluster, am, busy).size());
            cluster.awaitTrue("the other application goes on", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().vcores() >= 30;
            });
        }
    }

    /** 64 vcores, of which root.a may have 32 and each of its queues is guaranteed 16. */
    private static YarnConfiguration parentAtItsMaximum(boolean asynchronous) {
        YarnConfiguration conf = settings(asynchronous);
        String root = "yarn.scheduler.capacity.root.";
        conf.set(root + "queues", "a,plain");
        conf.set(root + "a.capacity", "50");
        conf.set(root + "a.maximum-capacity", "50");
        conf.set(root + "a.queues", "ml,batch");
        for (String leaf : List.of("ml", "batch")) {
            conf.set(root + "a." + leaf + ".capacity", "50");
            conf.set(root + "a." + leaf + ".maximum-capacity", "100");
            conf.set(root + "a." + leaf + ".user-limit-factor", "10");
        }
        conf.set(root + "a.ml.treadle.policy", "fifo+proportional");
        conf.set(root + "a.ml.ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
        return conf;
    }

    /** What a queue is guaranteed is not kept from it for a gang of another one, however long that waits. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void whatAnotherQueueIsGuaranteedIsNotKeptFromIt(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(parentAtItsMaximum(asynchronous))) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(3, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM batch = cluster.startApp("batch", Map.of(), List.of(), node);
            MockAM later =
                    cluster.startApp("ml", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 28), node);
            List<Container> held = new ArrayList<>();
            cluster.awaitTrue("one vcore is left", () -> {
                held.addAll(cluster.pull(later));
                return held.size() == 28;
            });
            cluster.launch(held);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            cluster.awaitTrue("room is kept for the gang", () -> {
                cluster.heartbeat();
                return !cluster.reservations().isEmpty();
            });
            batch.allocate(SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 1), List.of());
            assertEquals(1, cluster.awaitContainers(batch).size());
        }
    }

    /** Its queue has more than its guarantee, and the one above it has not: its children may share what that is guaranteed. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void whatAParentIsGuaranteedIsNotKeptFromItsChildren(boolean asynchronous) throws Exception {
        YarnConfiguration conf = parentAtItsMaximum(asynchronous);
        String batch = "yarn.scheduler.capacity.root.a.batch.";
        conf.set(batch + "queues", "day,night");
        for (String leaf : List.of("day", "night")) {
            conf.set(batch + leaf + ".capacity", "50");
            conf.set(batch + leaf + ".maximum-capacity", "100");
            conf.set(batch + leaf + ".user-limit-factor", "10");
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(3, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            // With its ApplicationMaster nine vcores, of which the queue is guaranteed eight and the one above it
            // sixteen.
            MockAM day =
                    cluster.startApp("day", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 8), node);
            cluster.launch(cluster.awaitContainers(day, 8));
            MockAM later =
                    cluster.startApp("ml", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 20), node);
            cluster.launch(cluster.awaitContainers(later, 20));
            am.allocate(SchedulerHarness.requests(spec), List.of());
            cluster.awaitTrue("room is kept for the gang", () -> {
                cluster.heartbeat();
                return !cluster.reservations().isEmpty();
            });
            day.allocate(SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 1), List.of());
            assertEquals(1, cluster.awaitContainers(day).size());
        }
    }

    /** Nodes and queue have room: what the user may hold of the queue is in the way. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roomBelowTheUsersLimitIsKeptToo(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        // Hadoop's default: the user may hold what the queue is guaranteed, 32 vcores of 64.
        conf.set("yarn.scheduler.capacity.root.ml.user-limit-factor", "1");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(3, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = BusyApplication.start(cluster, "ml", ResourceVector.of(0, 1, 256), 12, node);
            cluster.awaitTrue("the user holds all", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().vcores() >= 30;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(3, awaitGang(cluster, am, busy).size());
        }
    }

    /** As YARN has it, the last task may go above the limit: all of the gang never fits below it. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatEndsAboveTheUsersLimitStartsInItsRoom(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        // 9 vcores of the 12 that the queue is guaranteed.
        conf.set("yarn.scheduler.capacity.root.ml.user-limit-factor", "0.75");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, 24, 65_536);
            GangSpec spec = SchedulerHarness.gang(2, 0, 5, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication same = BusyApplication.start(cluster, "ml", ResourceVector.of(0, 1, 256), 12, node);
            BusyApplication other = BusyApplication.start(cluster, "plain", ResourceVector.of(0, 1, 256), 12, node);
            cluster.awaitTrue("the node is full", () -> {
                cluster.heartbeat();
                same.beat();
                other.beat();
                return cluster.used().vcores() >= 22;
            });
            am.allocate(SchedulerHarness.requests(spec), List.of());
            List<Container> members = new ArrayList<>();
            cluster.awaitTrue("the gang starts", () -> {
                cluster.heartbeat();
                same.beat();
                other.beat();
                members.addAll(cluster.pull(am));
                return !members.isEmpty();
            });
            assertEquals(2, members.size());
        }
    }

    /**
     * The earlier application would get the room without Treadle. One that comes after the gang would not, and waits: the gang may take
     * what is kept for it.
     */
    @ParameterizedTest(name = "asynchronous scheduling {0}, the other comes before the gang {1}")
    @CsvSource({"false, true", "true, true", "false, false", "true, false"})
    void roomIsKeptFromThoseOfItsQueueThatComeAfterAGangAlone(boolean asynchronous, boolean isEarlier)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            // Of 16 vcores the masters have three, and the queue is guaranteed eight.
            MockNM node = cluster.node(1001, 0, VCORES, 65_536);
            GangSpec spec = SchedulerHarness.gang(1, 0, 4, 512);
            MockAM first = cluster.startApp("ml", isEarlier ? Map.of() : spec.toProperties(), List.of(), node);
            MockAM second = cluster.startApp("ml", isEarlier ? spec.toProperties() : Map.of(), List.of(), node);
            MockAM gang = isEarlier ? second : first;
            MockAM other = isEarlier ? first : second;
            MockAM holder =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 13), node);
            List<Container> held = cluster.awaitContainers(holder, 13);
            cluster.launch(held);
            gang.allocate(SchedulerHarness.requests(spec), List.of());
            cluster.awaitTrue("room is kept for the gang", () -> {
                cluster.heartbeat();
                return !cluster.reservations().isEmpty();
            });
            other.allocate(SchedulerHarness.asks(ResourceVector.of(0, 2, 256), 1), List.of());
            cluster.complete(held.subList(0, 2));
            if (isEarlier) {
                assertEquals(1, cluster.awaitContainers(other).size());
                cluster.complete(held.subList(2, 6));
            } else {
                cluster.complete(held.subList(2, 4));
            }
            assertEquals(1, cluster.awaitContainers(gang).size());
            if (!isEarlier) {
                assertEquals(List.of(), cluster.pull(other));
                cluster.complete(held.subList(4, 6));
                assertEquals(1, cluster.awaitContainers(other).size());
            }
        }
    }

    /** What is kept is not kept from it, but a node that YARN reserves for it starts no gang: it waits for a GPU, of which the gang needs none. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeThatKeepsRoomIsNotReservedForAnEarlierApplicationOfTheQueue(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = cluster.node(1001, 2, VCORES, 65_536);
            // With GPUs for the queue's limit, so that YARN reserves, and too little memory for any container.
            cluster.node(1002, 2, VCORES, 100);
            GangSpec spec = SchedulerHarness.gang(1, 0, 4, 512);
            MockAM earlier = cluster.startApp("ml", Map.of(), List.of(), node);
            MockAM gang = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM holder =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 256), 2), node);
            cluster.launch(cluster.awaitContainers(holder, 2));
            MockAM other =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 10), node);
            List<Container> held = cluster.awaitContainers(other, 10);
            cluster.launch(held);
            gang.allocate(SchedulerHarness.requests(spec), List.of());
            cluster.awaitTrue("room is kept for the gang", () -> {
                cluster.heartbeat();
                return !cluster.reservations().isEmpty();
            });
            earlier.allocate(SchedulerHarness.asks(ResourceVector.of(1, 1, 256), 1), List.of());
            for (int i = 0; i < 4; i++) {
                // One after the other: what is free is never nothing, and never enough.
                cluster.complete(held.subList(i, i + 1));
                cluster.heartbeat();
            }
            assertEquals(1, cluster.awaitContainers(gang).size());
        }
    }

    /** Two queues are owed 16 of 64 vcores each, and one may have them reserved. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void noMoreIsReservedThanTheLimitForAllGangsTogether(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        conf.set("yarn.scheduler.treadle.reservation.max-percent", "40");
        conf.set("yarn.scheduler.capacity.root.queues", "ml,ml2,plain");
        for (String queue : List.of("ml", "ml2", "plain")) {
            conf.set("yarn.scheduler.capacity.root." + queue + ".capacity", queue.equals("plain") ? "20" : "40");
            conf.set("yarn.scheduler.capacity.root." + queue + ".user-limit-factor", "10");
        }
        conf.set("yarn.scheduler.capacity.root.ml2.treadle.policy", "fifo+proportional");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM one = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM two = cluster.startApp("ml2", spec.toProperties(), List.of(), node);
            BusyApplication busy = fill(cluster, 1, 40, node);
            one.allocate(SchedulerHarness.requests(spec), List.of());
            two.allocate(SchedulerHarness.requests(spec), List.of());
            int[] most = {0};
            List<Container> ofOne = new ArrayList<>();
            List<Container> ofTwo = new ArrayList<>();
            cluster.awaitTrue("both start, one after the other", () -> {
                cluster.heartbeat();
                busy.beat();
                most[0] = Math.max(most[0], cluster.reservations().size());
                ofOne.addAll(cluster.pull(one));
                ofTwo.addAll(cluster.pull(two));
                return ofOne.size() == 4 && ofTwo.size() == 4;
            });
            assertEquals(1, most[0], "reservations at a time");
        }
    }
}
