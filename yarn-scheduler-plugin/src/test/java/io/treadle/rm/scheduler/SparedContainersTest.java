// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * For a gang containers end where YARN's preemption would end some for a plain application with the same asks, and nowhere else. With
 * YARN's own defaults of how much a queue may be above its guarantee.
 */
class SparedContainersTest {
    private static final String ROOT = "yarn.scheduler.capacity.root.";
    /** Of nodes and containers alike: YARN ends nothing in a queue that is above its guarantee of one resource alone. */
    private static final int MIB_PER_VCORE = 512;

    /** Beats in which containers would have been ended. */
    private static final int CALM = 60;

    private final List<Container> held = new ArrayList<>();
    private int preempted;

    private static YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = GangReservationTest.preempting(asynchronous);
        // YARN ends nothing in a queue that holds none of some type of resource.
        conf.set("yarn.resource-types", "");
        // The other nodes come after the ApplicationMasters have their places on the first one.
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        return conf;
    }

    /** Half of the cluster is guaranteed to root.a, and a quarter to each of its queues, of which one is idle. */
    private static YarnConfiguration parentOfTwo(boolean asynchronous) {
        YarnConfiguration conf = settings(asynchronous);
        conf.set(ROOT + "queues", "a,b");
        conf.set(ROOT + "a.queues", "a1,a2");
        for (String queue : List.of("a", "b", "a.a1", "a.a2")) {
            conf.set(ROOT + queue + ".capacity", "50");
            conf.set(ROOT + queue + ".maximum-capacity", "100");
            conf.set(ROOT + queue + ".user-limit-factor", "10");
        }
        conf.set(ROOT + "b.treadle.policy", "fifo+proportional");
        conf.set(ROOT + "b.ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
        return conf;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, a gang waits {1}, root.a has more than its guarantee {2}")
    @CsvSource({
        "false, true, false",
        "true, true, false",
        "false, false, false",
        "false, true, true",
        "true, true, true",
        "false, false, true",
    })
    void whatAQueueIsGuaranteedItsChildrenMayShare(boolean asynchronous, boolean isGang, boolean isOver)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(parentOfTwo(asynchronous))) {
            // Of 34 vcores each half is guaranteed 17: its ApplicationMaster and two nodes.
            MockNM ofMasters = node(cluster, 1001, 2);
            GangSpec spec = SchedulerHarness.gang(2, 0, 8, 8 * MIB_PER_VCORE);
            MockAM busy = cluster.startApp("a1", Map.of(), List.of(), ofMasters);
            MockAM waits = cluster.startApp("b", isGang ? spec.toProperties() : Map.of(), List.of(), ofMasters);
            for (int i = 0; i < 4; i++) {
                node(cluster, 1002 + i, 8);
            }
            fill(cluster, busy, 4, 8);
            if (!isOver) {
                Map<NodeId, Container> oneOfEach = new HashMap<>();
                held.forEach(container -> oneOfEach.put(container.getNodeId(), container));
                List<Container> over = List.copyOf(oneOfEach.values());
                busy.allocate(List.of(), over.stream().map(Container::getId).toList());
                cluster.complete(over);
                held.removeAll(over);
            }
            waits.allocate(SchedulerHarness.requests(spec), List.of());
            look(cluster, busy, waits, isGang, isOver);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, a gang waits {1}, containers of the other application {2}")
    @CsvSource({
        "false, true, 17",
        "true, true, 17",
        "false, false, 17",
        "false, true, 19",
        "true, true, 19",
        "false, false, 19",
    })
    void littleAboveAGuaranteeIsOverlooked(boolean asynchronous, boolean isGang, int containers) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            // Of 34 vcores each queue is guaranteed 17, and may hold 18.7 before YARN looks.
            MockNM ofMasters = node(cluster, 1001, 2);
            GangSpec spec = SchedulerHarness.gang(1, 0, 16, 16 * MIB_PER_VCORE);
            MockAM busy = cluster.startApp("plain", Map.of(), List.of(), ofMasters);
            MockAM waits = cluster.startApp("ml", isGang ? spec.toProperties() : Map.of(), List.of(), ofMasters);
            node(cluster, 1002, 32);
            fill(cluster, busy, 1, containers);
            waits.allocate(SchedulerHarness.requests(spec), List.of());
            look(cluster, busy, waits, isGang, containers > 17);
        }
    }

    /** YARN has reserved the node within what is guaranteed to the queue above the application's: the gang's claim is no better. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeThatIsReservedWithinTheGuaranteeOfAParentStaysReserved(boolean asynchronous) throws Exception {
        YarnConfiguration conf = parentOfTwo(asynchronous);
        conf.set("yarn.resource-types", "yarn.io/gpu");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 65_536);
            // With GPUs for the queues' limits, so that YARN reserves, and too little memory for any container.
            cluster.node(1002, 3, 16, 100);
            GangSpec spec = SchedulerHarness.gang(2, 0, 2, 512);
            MockAM busy = cluster.startApp("a1", Map.of(), List.of(), node);
            MockAM waits = cluster.startApp("b", spec.toProperties(), List.of(), node);
            // Of five GPUs its queue is guaranteed one, and the queue above it two.
            cluster.ask(busy, SchedulerHarness.asks(ResourceVector.of(1, 1, 256), 3));
            held.addAll(cluster.awaitContainers(busy, 2));
            cluster.launch(held);
            BooleanSupplier isReserved =
                    () -> cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() != null;
            awaitTrue(cluster, busy, "the node is reserved", isReserved);
            waits.allocate(SchedulerHarness.requests(spec), List.of());
            int[] beats = {0};
            awaitTrue(cluster, busy, "time has passed", () -> {
                assertEquals(List.of(), cluster.pull(waits));
                return ++beats[0] >= 5 * CALM;
            });
            assertTrue(isReserved.getAsBoolean());
        }
    }

    private static MockNM node(SchedulerHarness cluster, int port, int vcores) throws Exception {
        return cluster.node(port, 0, vcores, (long) vcores * MIB_PER_VCORE);
    }

    private void fill(SchedulerHarness cluster, MockAM busy, int vcores, int containers) throws Exception {
        cluster.ask(
                busy, SchedulerHarness.asks(ResourceVector.of(0, vcores, (long) vcores * MIB_PER_VCORE), containers));
        held.addAll(cluster.awaitContainers(busy, containers));
        cluster.launch(held);
    }

    private void look(SchedulerHarness cluster, MockAM busy, MockAM waits, boolean isGang, boolean isPreempted)
            throws Exception {
        if (isPreempted) {
            awaitTrue(cluster, busy, "containers are ended", () -> preempted > 0);
            if (isGang) {
                awaitTrue(cluster, busy, "the gang starts", () -> !cluster.pull(waits)
                        .isEmpty());
            }
            return;
        }
        if (isGang) {
            awaitTrue(cluster, busy, "room is reserved", () -> !cluster.reservations()
                    .isEmpty());
        }
        int[] beats = {0};
        awaitTrue(cluster, busy, "time has passed", () -> ++beats[0] >= CALM);
        assertEquals(0, preempted);
        assertFalse(held.isEmpty());
    }

    private void awaitTrue(SchedulerHarness cluster, MockAM busy, String what, BooleanSupplier condition)
            throws Exception {
        cluster.awaitTrue(what, () -> {
            beat(cluster, busy);
            return condition.getAsBoolean();
        });
    }

    /** What YARN has ended ends on its node, too. */
    private void beat(SchedulerHarness cluster, MockAM busy) {
        cluster.heartbeat();
        try {
            for (ContainerStatus status : busy.allocate(List.of(), List.of()).getCompletedContainersStatuses()) {
                if (status.getExitStatus() == ContainerExitStatus.PREEMPTED) {
                    preempted++;
                    List<Container> ended = held.stream()
                            .filter(container -> container.getId().equals(status.getContainerId()))
                            .toList();
                    cluster.complete(ended);
                    held.removeAll(ended);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
