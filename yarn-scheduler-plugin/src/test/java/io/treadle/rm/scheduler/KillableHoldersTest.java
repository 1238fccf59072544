// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.apache.hadoop.test.MetricsAsserts.getLongCounter;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.KnownDevices;
import io.treadle.rm.StandingClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With lazy preemption a node is reserved for an ask while containers that hold its GPUs end for it. */
class KillableHoldersTest {
    private static final ResourceVector GPU = LazyPreemptionTest.GPU;
    private static final int MEMORY_MIB = 65_536;
    /** Of a node whose GPU nobody can use: by YARN's count the cluster has a GPU left, so that queues may reserve. */
    private static final int NO_MEMORY_MIB = 64;

    /** One application that holds GPUs, and one of another queue that is to get some. */
    private record Two(SchedulerHarness cluster, MockAM poor, MockAM rich, List<Container> held) {
        /** @param asks what the rich application is given, one container after the other */
        static Two start(SchedulerHarness cluster, MockNM amNode, ResourceVector... asks) throws Exception {
            MockAM poor = cluster.startApp("ml", Map.of(), List.of(), amNode);
            MockAM rich = cluster.startApp("plain", Map.of(), List.of(), amNode);
            List<Container> held = new ArrayList<>();
            for (ResourceVector ask : asks) {
                cluster.ask(rich, SchedulerHarness.asks(ask, 1));
                held.addAll(cluster.awaitContainers(rich, 1));
            }
            cluster.launch(held);
            Two two = new Two(cluster, poor, rich, held);
            cluster.awaitTrue("they run", () -> two.running() == asks.length);
            return two;
        }

        void ask(ResourceVector size, int containers) throws Exception {
            cluster.ask(poor, SchedulerHarness.asks(size, containers));
        }

        void mark(Container... containers) {
            for (Container container : containers) {
                cluster.scheduler().markContainerForKillable(cluster.scheduler().getRMContainer(container.getId()));
            }
        }

        void markAll() {
            mark(held.toArray(Container[]::new));
        }

        int running() {
            return LazyPreemptionTest.tasks(cluster).size();
        }

        /** Heartbeats after which the nodes have not yet said that anything has gone. */
        void endAndStay(int left) throws Exception {
            cluster.awaitTrue("so many end", () -> {
                cluster.heartbeat();
                return running() <= left;
            });
            for (int i = 0; i < 20; i++) {
                cluster.heartbeat();
            }
            assertEquals(left, running());
        }

        void release(Container container) {
            try {
                rich.allocate(List.of(), List.of(container.getId()));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        /** What has ended is gone from its node. */
        void reportEnded() throws Exception {
            reportEnded(container -> true);
        }

        void reportEnded(Predicate<Container> which) throws Exception {
            List<ContainerId> left = LazyPreemptionTest.tasks(cluster).stream()
                    .map(RMContainer::getContainerId)
                    .toList();
            cluster.complete(held.stream()
                    .filter(container -> !left.contains(container.getId()) && which.test(container))
                    .toList());
        }

        RMContainer awaitReservation(MockNM node) throws Exception {
            FiCaSchedulerNode books = cluster.scheduler().getNode(node.getNodeId());
            cluster.awaitTrue("the node is reserved", () -> {
                cluster.heartbeat();
                return books.getReservedContainer() != null;
            });
            return reservation(node);
        }

        RMContainer reservation(MockNM node) {
            return cluster.scheduler().getNode(node.getNodeId()).getReservedContainer();
        }
    }

    /** CapacityScheduler would end one and put the new one in its place, before another node is looked at. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void asManyEndAsContainersAreAskedFor(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A"))) {
            MockNM node = cluster.node(1001, 1, 16, MEMORY_MIB);
            for (int port = 1002; port <= 1006; port++) {
                cluster.node(port, 1, 16, MEMORY_MIB);
            }
            Two two = Two.start(cluster, node, GPU, GPU, GPU, GPU, GPU, GPU);
            two.markAll();
            two.ask(GPU, 2);
            two.endAndStay(4);
            // That it waits is no reason to leave it out on other nodes.
            assertEquals(0, getLongCounter("LeftOut", getMetrics("TreadleMetrics")));
            two.reportEnded();
            assertEquals(2, cluster.awaitContainers(two.poor(), 2).size());
            assertEquals(4, two.running());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeStaysReservedUntilTheHolderHasGone(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A", "B"))) {
            MockNM node = cluster.node(1001, 2, 16, MEMORY_MIB);
            cluster.node(1002, 1, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, node, GPU, GPU);
            two.ask(GPU, 1);
            RMContainer reserved = two.awaitReservation(node);
            two.markAll();
            two.endAndStay(1);
            assertSame(reserved, two.reservation(node));
            two.reportEnded();
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
            assertEquals(1, two.running());
        }
    }

    /** The ask has a node reserved whose GPU stays in use. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void reservationElsewhereKeepsNobodyWaiting(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A"))) {
            MockNM first = cluster.node(1001, 1, 16, MEMORY_MIB);
            MockNM second = cluster.node(1002, 1, 16, MEMORY_MIB);
            cluster.node(1003, 2, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, first, GPU, GPU);
            two.ask(GPU, 1);
            cluster.awaitTrue("a node is reserved", () -> {
                cluster.heartbeat();
                return two.reservation(first) != null || two.reservation(second) != null;
            });
            MockNM reserved = two.reservation(first) != null ? first : second;
            two.mark(two.held().stream()
                    .filter(container -> !container.getNodeId().equals(reserved.getNodeId()))
                    .toArray(Container[]::new));
            two.endAndStay(1);
            two.reportEnded();
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
        }
    }

    /** After the reservation the queue has its guarantee, and nobody may end for it any more. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void thoseThatHoldTheRoomEndWithThoseThatHoldTheGpu(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A"))) {
            MockNM node = cluster.node(1001, 1, 16, MEMORY_MIB);
            cluster.node(1002, 1, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, node, GPU, ResourceVector.of(0, 12, 256));
            two.markAll();
            two.ask(ResourceVector.of(1, 8, 256), 1);
            two.endAndStay(0);
            two.reportEnded();
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void noMoreEndThanAreAskedForNow(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A"))) {
            MockNM first = cluster.node(1001, 1, 16, MEMORY_MIB);
            MockNM second = cluster.node(1002, 1, 16, MEMORY_MIB);
            cluster.node(1003, 4, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, first, GPU, GPU);
            two.ask(GPU, 2);
            assertNotNull(two.awaitReservation(first));
            assertNotNull(two.awaitReservation(second));
            two.ask(GPU, 1);
            two.markAll();
            two.endAndStay(1);
            two.reportEnded();
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
        }
    }

    /** YARN would put the new one in the place of the first that it comes to. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void oneOnALostGpuEndsForNobody(boolean asynchronous) throws Exception {
        List<NodeRecord.Device> devices = new ArrayList<>();
        for (String uuid : List.of("A", "B", "C", "D")) {
            devices.add(KnownDevices.device(uuid, NodeRecord.Health.OK));
        }
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, new KnownDevices(devices))) {
            MockNM node = cluster.node(1001, 4, 16, MEMORY_MIB);
            Two two = Two.start(cluster, node, GPU, GPU, GPU, GPU);
            for (String uuid : List.of("A", "B", "C")) {
                devices.replaceAll(device ->
                        device.uuid().equals(uuid) ? KnownDevices.device(uuid, NodeRecord.Health.LOST) : device);
            }
            two.markAll();
            two.ask(GPU, 1);
            two.endAndStay(3);
            two.reportEnded();
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
        }
    }

    /** CapacityScheduler proposes to end it once more, and refuses that. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeStaysReservedWhereAHolderHasGivenUpByItself(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A", "B"))) {
            MockNM node = cluster.node(1001, 2, 16, MEMORY_MIB);
            cluster.node(1002, 2, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, node, GPU, GPU);
            two.ask(ResourceVector.of(2, 1, 256), 1);
            RMContainer reserved = two.awaitReservation(node);
            // Nothing is proposed between the two.
            cluster.scheduler().access().locked(() -> {
                two.markAll();
                two.release(two.held().get(0));
                return true;
            });
            two.endAndStay(1);
            assertSame(reserved, two.reservation(node));
            two.reportEnded();
            two.endAndStay(0);
            assertSame(reserved, two.reservation(node));
            two.reportEnded();
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
        }
    }

    /** Its process hangs in the driver, and the node goes on to say that it is there. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void askLooksElsewhereWhereAHolderDoesNotGo(boolean asynchronous) throws Exception {
        LaterClock clock = new LaterClock();
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(asynchronous, KnownDevices.of("A"), clock)) {
            MockNM first = cluster.node(1001, 1, 16, MEMORY_MIB);
            MockNM second = cluster.node(1002, 1, 16, MEMORY_MIB);
            cluster.node(1003, 2, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, first, GPU, GPU);
            two.markAll();
            two.ask(GPU, 1);
            two.endAndStay(1);
            MockNM hung = two.reservation(first) != null ? first : second;
            clock.set(180);
            cluster.awaitTrue("the other one ends", () -> {
                cluster.heartbeat();
                return two.running() == 0;
            });
            two.reportEnded(container -> !container.getNodeId().equals(hung.getNodeId()));
            assertEquals(1, cluster.awaitContainers(two.poor()).size());
        }
    }

    /** What is refused at each heartbeat of a node keeps all others from it. */
    @Test
    void holderThatDoesNotGoIsNotProposedAgain() throws Exception {
        LaterClock clock = new LaterClock();
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(false, KnownDevices.of("A"), clock)) {
            MockNM node = cluster.node(1001, 1, 16, MEMORY_MIB);
            cluster.node(1002, 1, 16, NO_MEMORY_MIB);
            Two two = Two.start(cluster, node, GPU);
            two.markAll();
            two.ask(GPU, 1);
            two.endAndStay(0);
            RMContainer first = two.reservation(node);
            clock.set(180);
            cluster.awaitTrue("the reservation is dropped", () -> two.reservation(node) != first);
            long before = cluster.scheduler().vetoes();
            for (int i = 0; i < 20; i++) {
                cluster.heartbeat();
            }
            assertEquals(before, cluster.scheduler().vetoes());
        }
    }

    /**
     * CapacityScheduler looks at a node with a lock of the ask's, which the application's own heartbeat takes after a lock of the
     * application's: who waited for that one would wait for ever.
     */
    @Test
    void looksAtANodeWithoutALockOfTheApplication() throws Exception {
        try (SchedulerHarness cluster = LazyPreemptionTest.marking(false, KnownDevices.of("A"))) {
            MockNM node = cluster.node(1001, 1, 16, MEMORY_MIB);
            MockNM other = cluster.node(1002, 1, 16, MEMORY_MIB);
            Two two = Two.start(cluster, node, GPU, GPU);
            two.markAll();
            two.ask(GPU, 1);
            two.endAndStay(1);
            MockAM gang = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 256), node);
            for (MockAM am : List.of(two.poor(), gang)) {
                FiCaSchedulerApp app = cluster.scheduler().getApplicationAttempt(am.getApplicationAttemptId());
                app.getWriteLock().lock();
                try {
                    for (SchedulerRequestKey key : app.getSchedulerKeys()) {
                        assertFalse(isOffered(cluster, app, key, node));
                        assertFalse(isOffered(cluster, app, key, other));
                    }
                } finally {
                    app.getWriteLock().unlock();
                }
            }
        }
    }

    /** On another thread. */
    private static boolean isOffered(
            SchedulerHarness cluster, FiCaSchedulerApp app, SchedulerRequestKey key, MockNM node) throws Exception {
        return CompletableFuture.supplyAsync(() -> app.getAppSchedulingInfo()
                        .precheckNode(
                                key,
                                cluster.scheduler().getNode(node.getNodeId()),
                                SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY,
                                Optional.empty()))
                .get(60, TimeUnit.SECONDS);
    }

    /** The machine's time, and so many seconds more as it is set to. */
    private static final class LaterClock extends StandingClock {
        @Override
        public Instant instant() {
            return Instant.now().plusSeconds(super.instant().getEpochSecond());
        }
    }
}
