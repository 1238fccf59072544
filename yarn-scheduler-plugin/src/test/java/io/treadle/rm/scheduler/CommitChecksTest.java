// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.KnownDevices;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.PlannerThread;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What has changed between the snapshot of a plan and its commit. Plans are committed here by hand. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class CommitChecksTest {
    private final boolean asynchronous;

    CommitChecksTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private static final DeviceShare A = new DeviceShare("A", 40960, true);
    private static final DeviceShare B = new DeviceShare("B", 40960, true);

    private final List<NodeRecord.Device> devices = new ArrayList<>(
            List.of(KnownDevices.device("A", NodeRecord.Health.OK), KnownDevices.device("B", NodeRecord.Health.OK)));

    private YarnConfiguration withoutPlanner() {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        return conf;
    }

    @Test
    void deviceThatWasGivenAwaySinceThePlanIsNotGivenTwice() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            Gang first = gang(cluster, node);
            Gang second = gang(cluster, node);
            assertEquals(Optional.empty(), commit(cluster, first, node, A));
            assertEquals(
                    Optional.of("node 127.0.0.1:1001: device A has 0 of 40960 MiB free, the gang needs 40960"),
                    commit(cluster, second, node, A));
            assertEquals(
                    Optional.of("node 127.0.0.1:1001: device A has 0 of 40960 MiB free, the gang needs 1024"),
                    commit(cluster, second, node, new DeviceShare("A", 1024, false)));
            assertEquals(1, cluster.used().gpus());
            assertEquals(Optional.empty(), commit(cluster, second, node, B));
        }
    }

    @Test
    void deviceThatWasLostSinceThePlanIsNotGiven() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            Gang gang = gang(cluster, node);
            devices.set(0, KnownDevices.device("A", NodeRecord.Health.LOST));
            assertEquals(Optional.of("node 127.0.0.1:1001: device A is lost"), commit(cluster, gang, node, A));
            assertEquals(Optional.empty(), commit(cluster, gang, node, B));
        }
    }

    @Test
    void nodeThatTheJobAvoidsByNowIsNotTaken() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            am.allocate(AllocateRequest.newInstance(
                    0, 0, List.of(), List.of(), ResourceBlacklistRequest.newInstance(List.of("127.0.0.1"), List.of())));
            assertEquals(
                    Optional.of("node 127.0.0.1:1001 is no longer open to it"),
                    commit(cluster, gang(cluster, am), node, A));
        }
    }

    @Test
    void commitThatThrowsHalfWayLeavesNothing() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            ResourceVector before = cluster.used();
            AtomicInteger commits = new AtomicInteger();
            SchedulerAccess breaks = before(cluster.scheduler().access(), method -> {
                if (method.equals("commitPlanned") && commits.incrementAndGet() == 2) {
                    throw new IllegalStateException("a bug");
                }
            });
            String id = node.getNodeId().toString();
            List<TaskPlacement> tasks = List.of(
                    placement(id, ResourceVector.of(1, 3, 512), A), placement(id, ResourceVector.of(1, 3, 512), B));
            assertThrows(IllegalStateException.class, () -> new GangCommitter(
                            breaks, telemetry(), Sleeping.NONE, new GangReservations())
                    .commit(gang(cluster, am), tasks));
            assertEquals(before, cluster.used());
            assertEquals(2, cluster.scheduler().getRootQueueMetrics().getPendingContainers());
            assertEquals(2, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores());
            assertEquals(List.of(), am.allocate(List.of(), List.of()).getAllocatedContainers());
        }
    }

    /** Its ApplicationMaster is not to have the part that is left. */
    @Test
    void membersThatCannotBeTakenBackAreNotFetched() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner())) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(3, 0, 1, 512), node);
            ResourceVector before = cluster.used();
            AtomicInteger commits = new AtomicInteger();
            AtomicInteger takenBack = new AtomicInteger();
            SchedulerAccess breaks = before(cluster.scheduler().access(), method -> {
                if ((method.equals("commitPlanned") && commits.incrementAndGet() == 3)
                        || (method.equals("takeBack") && takenBack.incrementAndGet() == 2)) {
                    throw new IllegalStateException("a bug");
                }
            });
            assertThrows(
                    IllegalStateException.class,
                    () -> PlannedByHand.commit(breaks, gang(cluster, am), placements(node, 3)));
            assertEquals(2, takenBack.get());
            assertEquals(List.of(), am.allocate(List.of(), List.of()).getAllocatedContainers());
            assertEquals(before, cluster.used());
            assertEquals(3, cluster.scheduler().getRootQueueMetrics().getPendingContainers());
            assertEquals(3, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores());
        }
    }

    /** Hadoop's commit hands its events to a queue that throws on an interrupted thread. */
    @Test
    void plannerThatIsInterruptedInACommitGrantsTheGangWhole() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner())) {
            List<Thread> running = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("treadle-planner"))
                    .toList();
            assertFalse(running.isEmpty());
            assertTrue(running.stream().allMatch(PlannerThread.class::isInstance));
            MockNM node = cluster.node(1001, 0, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(3, 0, 1, 512), node);
            SchedulerAccess interrupts = before(cluster.scheduler().access(), method -> {
                if (method.equals("commitPlanned")) {
                    Thread.currentThread().interrupt();
                }
            });
            AtomicReference<Optional<String>> refused = new AtomicReference<>(Optional.of("it did not end"));
            AtomicBoolean heard = new AtomicBoolean();
            Thread planner = new PlannerThread(
                    () -> {
                        refused.set(PlannedByHand.commit(interrupts, gang(cluster, am), placements(node, 3)));
                        heard.set(Thread.interrupted());
                    },
                    "planner");
            planner.start();
            planner.join();
            assertEquals(Optional.empty(), refused.get());
            assertTrue(heard.get());
            assertEquals(
                    3,
                    am.allocate(List.of(), List.of()).getAllocatedContainers().size());
        }
    }

    private static List<TaskPlacement> placements(MockNM node, int tasks) {
        TaskPlacement task =
                new TaskPlacement("worker", node.getNodeId().toString(), ResourceVector.of(0, 3, 512), List.of());
        return Collections.nCopies(tasks, task);
    }

    /** @param told the name of each method that is called, first */
    private static SchedulerAccess before(SchedulerAccess real, Consumer<String> told) {
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    told.accept(method.getName());
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static TaskPlacement placement(String node, ResourceVector size, DeviceShare device) {
        return new TaskPlacement("worker", node, size, List.of(device));
    }

    private static Gang gang(SchedulerHarness cluster, MockNM node) throws Exception {
        return gang(cluster, cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node));
    }

    private static Gang gang(SchedulerHarness cluster, MockAM am) {
        return cluster.scheduler()
                .gangs()
                .find(am.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
    }

    private Optional<String> commit(SchedulerHarness cluster, Gang gang, MockNM node, DeviceShare device) {
        TaskPlacement task =
                new TaskPlacement("worker", node.getNodeId().toString(), ResourceVector.of(1, 3, 512), List.of(device));
        return new GangCommitter(cluster.scheduler().access(), telemetry(), Sleeping.NONE, new GangReservations())
                .commit(gang, List.of(task));
    }

    private Telemetry telemetry() {
        return new KnownDevices(devices);
    }
}
