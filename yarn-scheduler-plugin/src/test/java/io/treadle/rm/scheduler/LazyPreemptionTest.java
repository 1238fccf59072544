// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.KnownDevices;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's lazy preemption only marks containers, and ends one when somebody takes its place. */
class LazyPreemptionTest {
    static final ResourceVector GPU = ResourceVector.of(1, 1, 256);

    private static YarnConfiguration lazy(boolean asynchronous) {
        YarnConfiguration conf = GangReservationTest.preempting(asynchronous);
        conf.setBoolean("yarn.scheduler.capacity.lazy-preemption-enabled", true);
        return conf;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void lazyPreemptionEndsAGangWhole(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(lazy(asynchronous))) {
            MockNM node = GangReservationTest.nodes(cluster).get(0);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 0, 14, 512), node);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            cluster.launch(members);
            BusyApplication busy = BusyApplication.start(cluster, "plain", ResourceVector.of(0, 6, 256), 0, node);
            List<ContainerStatus> ended = new ArrayList<>();
            cluster.awaitTrue("the gang is ended whole", () -> {
                cluster.heartbeat();
                busy.beat();
                ended.addAll(completed(am));
                return ended.size() == 4;
            });
            assertTrue(ended.stream().allMatch(status -> status.getExitStatus() == ContainerExitStatus.PREEMPTED));
        }
    }

    /** In room that is kept nobody takes a container's place. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void lazyPreemptionFreesRoomThatIsKeptForAGang(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(lazy(asynchronous))) {
            MockNM node = GangReservationTest.nodes(cluster).get(0);
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            BusyApplication busy = GangReservationTest.fill(cluster, 2, 0, node);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, GangReservationTest.awaitGang(cluster, am, busy).size());
            assertTrue(busy.preempted() <= 8, () -> busy.preempted() + " executors were preempted");
        }
    }

    /** The container that ends holds devices until its node says that it is gone: the one that is to have them waits for that. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void lazyPreemptionEndsContainersWithGpusForOthers(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster =
                start(lazy(asynchronous), KnownDevices.of("A", "B", "C", "D"), Clock.systemUTC())) {
            MockNM node = cluster.node(1001, 4, 16, 65_536);
            MockAM poor = cluster.startApp("ml", Map.of(), List.of(), node);
            BusyApplication busy = BusyApplication.start(cluster, "plain", GPU, 0, node);
            cluster.awaitTrue("all GPUs are taken", () -> {
                cluster.heartbeat();
                busy.beat();
                return cluster.used().gpus() == 4;
            });
            cluster.ask(poor, SchedulerHarness.asks(GPU, 1));
            assertEquals(1, cluster.awaitContainers(poor, 1, busy::beat).size());
            assertEquals(1, busy.preempted());
        }
    }

    /** YARN counts three GPUs, of which one is lost: it would end the one that is marked for an ask of two. */
    @Test
    void nobodyEndsWhereTheDevicesWouldNotSuffice() throws Exception {
        KnownDevices records = new KnownDevices(List.of(
                KnownDevices.device("A", NodeRecord.Health.OK),
                KnownDevices.device("B", NodeRecord.Health.OK),
                KnownDevices.device("C", NodeRecord.Health.LOST)));
        try (SchedulerHarness cluster = marking(false, records)) {
            MockNM node = cluster.node(1001, 3, 16, 65_536);
            MockAM poor = cluster.startApp("ml", Map.of(), List.of(), node);
            BusyApplication busy = full(cluster, node, 2, 1);
            cluster.ask(poor, SchedulerHarness.asks(ResourceVector.of(2, 1, 256), 1));
            // By heartbeats each proposes.
            for (int i = 0; i < 10; i++) {
                cluster.heartbeat();
                busy.beat();
            }
            assertEquals(0, busy.preempted());
            assertEquals(2, cluster.used().gpus());
        }
    }

    /** Its ApplicationMaster has fetched the container and does not launch it. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void containerThatWasNeverLaunchedEndsToo(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = marking(asynchronous, KnownDevices.of("A"))) {
            MockNM node = cluster.node(1001, 1, 16, 65_536);
            MockAM poor = cluster.startApp("ml", Map.of(), List.of(), node);
            MockAM slow = cluster.startApp("plain", Map.of(), SchedulerHarness.asks(GPU, 1), node);
            Container held = cluster.awaitContainers(slow).get(0);
            cluster.scheduler().markContainerForKillable(cluster.scheduler().getRMContainer(held.getId()));
            cluster.ask(poor, SchedulerHarness.asks(GPU, 1));
            assertEquals(1, cluster.awaitContainers(poor, 1).size());
        }
    }

    /** A cluster in which the test marks containers, in place of YARN's preemption. */
    static SchedulerHarness marking(boolean asynchronous, KnownDevices records) throws Exception {
        return marking(asynchronous, records, Clock.systemUTC());
    }

    static SchedulerHarness marking(boolean asynchronous, KnownDevices records, Clock clock) throws Exception {
        YarnConfiguration conf = lazy(asynchronous);
        conf.setBoolean("yarn.resourcemanager.scheduler.monitor.enable", false);
        return start(conf, records, clock);
    }

    private static SchedulerHarness start(YarnConfiguration conf, KnownDevices records, Clock clock) throws Exception {
        conf.set("yarn.resource-types", "yarn.io/gpu");
        Surroundings known = new Surroundings(clock, System::nanoTime, records, () -> true, false);
        return SchedulerHarness.start(conf, UnaryOperator.identity(), null, known);
    }

    /** An application that holds so many GPUs, in containers of which so many are marked. */
    private static BusyApplication full(SchedulerHarness cluster, MockNM amNode, int gpus, int marked)
            throws Exception {
        BusyApplication busy = BusyApplication.start(cluster, "plain", GPU, 0, amNode);
        cluster.awaitTrue("all GPUs are taken", () -> {
            cluster.heartbeat();
            busy.beat();
            return busy.running() == gpus;
        });
        tasks(cluster).stream().limit(marked).forEach(cluster.scheduler()::markContainerForKillable);
        return busy;
    }

    /** Containers that run and are no ApplicationMaster's. */
    static List<RMContainer> tasks(SchedulerHarness cluster) {
        return cluster.scheduler().getNodeTracker().getAllNodes().stream()
                .flatMap(node -> node.getCopiedListOfRunningContainers().stream())
                .filter(container -> !container.isAMContainer() && container.getState() == RMContainerState.RUNNING)
                .toList();
    }

    private static List<ContainerStatus> completed(MockAM am) {
        try {
            return am.allocate(List.of(), List.of()).getCompletedContainersStatuses();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
