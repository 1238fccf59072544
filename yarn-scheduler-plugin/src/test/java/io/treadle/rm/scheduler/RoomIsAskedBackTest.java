// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.GangReservation;
import io.treadle.rm.bridge.RoomPreemption;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Between the moment that containers are asked back for a gang and the one that they are ended, the cluster goes on. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class RoomIsAskedBackTest {
    private final boolean asynchronous;

    RoomIsAskedBackTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private static final String PREEMPTION = "yarn.resourcemanager.monitor.capacity.preemption.";
    private static final ResourceVector ONE_GPU = ResourceVector.of(1, 1, 512);
    private static final long PATIENCE_MS = 10_000;

    private SchedulerHarness cluster;
    private MockNM ofMasters;
    private MockNM first;
    private MockNM second;
    private MockAM busy;
    private List<Container> held;
    private RoomPreemption preemption;
    private MockAM gang;

    /** A queue with half of the cluster for its guarantee holds all four GPUs, of which two nodes have two each. */
    @BeforeEach
    void fill() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo");
        // Neither YARN's preemption nor the planner does anything by itself.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        // The nodes with GPUs come after the ApplicationMasters have their places.
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
        conf.setInt(PREEMPTION + "monitoring_interval", 3_600_000);
        conf.setLong(PREEMPTION + "max_wait_before_kill", PATIENCE_MS);
        cluster = SchedulerHarness.start(conf);
        ofMasters = cluster.node(1001, 0, 8, 8192);
        busy = cluster.startApp("plain", Map.of(), List.of(), ofMasters);
        gang = cluster.startApp("ml", SchedulerHarness.gang(2, 1, 1, 512).toProperties(), List.of(), ofMasters);
        first = cluster.node(1002, 2, 8, 8192);
        second = cluster.node(1003, 2, 8, 8192);
        held = take(busy, 4);
        preemption = new RoomPreemption(
                cluster.scheduler().access(), cluster.scheduler().reservations());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private List<Container> take(MockAM am, int containers) throws Exception {
        cluster.ask(am, SchedulerHarness.asks(ONE_GPU, containers));
        List<Container> all = cluster.awaitContainers(am, containers);
        cluster.launch(all);
        return all;
    }

    private void giveBack(MockAM am, List<Container> containers) throws Exception {
        am.allocate(List.of(), containers.stream().map(Container::getId).toList());
        cluster.complete(containers);
    }

    private List<Container> on(MockNM node) {
        return held.stream()
                .filter(container -> container.getNodeId().equals(node.getNodeId()))
                .toList();
    }

    private void goOn(Map<NodeId, ResourceVector> rooms, long nowMs) throws Exception {
        goOn(rooms, nowMs, Set.of());
    }

    private void goOn(Map<NodeId, ResourceVector> rooms, long nowMs, Set<ApplicationId> before) throws Exception {
        goOn(rooms, nowMs, before, Long.MAX_VALUE);
    }

    private void goOn(Map<NodeId, ResourceVector> rooms, long nowMs, Set<ApplicationId> before, long untilMs)
            throws Exception {
        ResourceVector all = YarnResources.vector(cluster.scheduler().getClusterResource());
        GangReservation reservation =
                new GangReservation(gang.getApplicationAttemptId().getApplicationId(), "", rooms, untilMs, before, all);
        cluster.scheduler().reservations().put(reservation);
        preemption.goOn(reservation, reservation.all(), all, nowMs);
        cluster.resourceManager.drainEvents();
    }

    private boolean runs(ContainerId id) {
        return cluster.scheduler().getRMContainer(id) != null;
    }

    @Test
    void whatIsAskedBackIsEndedWhenItsTimeIsOver() throws Exception {
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU.times(2));
        goOn(rooms, 0);
        assertTrue(held.stream().allMatch(container -> runs(container.getId())));
        goOn(rooms, PATIENCE_MS);
        assertEquals(
                2, held.stream().filter(container -> runs(container.getId())).count());
        assertTrue(on(second).stream().allMatch(container -> runs(container.getId())));
    }

    /** Applications would save their state and give containers up for a gang that has no room reserved any more then. */
    @Test
    void nothingIsAskedBackThatWouldComeTooLate() throws Exception {
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU.times(2));
        goOn(rooms, 0, Set.of(), PATIENCE_MS);
        assertNull(busy.allocate(List.of(), List.of()).getPreemptionMessage());
        goOn(rooms, 0, Set.of(), PATIENCE_MS + 1);
        assertNotNull(busy.allocate(List.of(), List.of()).getPreemptionMessage());
    }

    /** It would take what becomes free, and the same room would be asked back again. */
    @Test
    void nothingIsAskedBackWhileSomebodyWhoComesFirstWaitsForTheRoom() throws Exception {
        MockAM earlier = cluster.startApp("ml", Map.of(), SchedulerHarness.asks(ONE_GPU, 1), ofMasters);
        Set<ApplicationId> before = Set.of(earlier.getApplicationAttemptId().getApplicationId());
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU.times(2));
        goOn(rooms, 0, before);
        goOn(rooms, PATIENCE_MS, before);
        assertTrue(held.stream().allMatch(container -> runs(container.getId())));

        earlier.allocate(SchedulerHarness.asks(ONE_GPU, 0), List.of());
        goOn(rooms, 2 * PATIENCE_MS, before);
        goOn(rooms, 3 * PATIENCE_MS, before);
        assertEquals(
                2, held.stream().filter(container -> runs(container.getId())).count());
    }

    @Test
    void queueThatHasComeDownToItsGuaranteeIsSpared() throws Exception {
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU.times(2));
        goOn(rooms, 0);
        giveBack(busy, on(second));
        goOn(rooms, PATIENCE_MS);
        assertTrue(on(first).stream().allMatch(container -> runs(container.getId())), "it has what it is guaranteed");
    }

    @Test
    void halfOfWhatTheGangLacksIsNotTaken() throws Exception {
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU.times(2));
        goOn(rooms, 0);
        giveBack(busy, on(second).subList(0, 1));
        goOn(rooms, PATIENCE_MS);
        assertTrue(
                on(first).stream().allMatch(container -> runs(container.getId())),
                "its queue has one GPU above its guarantee, the gang needs two");
    }

    /** YARN's warning of one member is one of all. */
    @Test
    void gangThatHoldsTheRoomIsEndedWhole() throws Exception {
        giveBack(busy, held);
        GangSpec spec = SchedulerHarness.gang(4, 1, 1, 512);
        MockAM other = cluster.startApp("plain", spec.toProperties(), List.of(), ofMasters);
        Gang victim = cluster.scheduler()
                .gangs()
                .find(other.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
        other.allocate(SchedulerHarness.requests(spec), List.of());
        List<TaskPlacement> tasks = List.of(first, first, second, second).stream()
                .map(node -> new TaskPlacement("worker", node.getNodeId().toString(), ONE_GPU, List.<DeviceShare>of()))
                .toList();
        assertEquals(Optional.empty(), PlannedByHand.commit(cluster.scheduler().access(), victim, tasks));
        held = cluster.awaitContainers(other);
        cluster.launch(held);
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU, second.getNodeId(), ONE_GPU);
        goOn(rooms, 0);
        goOn(rooms, 1);
        assertEquals(
                4, held.stream().filter(container -> runs(container.getId())).count());
        goOn(rooms, PATIENCE_MS);
        assertEquals(
                0, held.stream().filter(container -> runs(container.getId())).count());
    }

    @Test
    void nobodyIsEndedWhereTheRestCannotBeHadAnyMore() throws Exception {
        Map<NodeId, ResourceVector> rooms = Map.of(first.getNodeId(), ONE_GPU, second.getNodeId(), ONE_GPU);
        goOn(rooms, 0);
        // One of its containers ends by itself, and one of the gang's own queue gets the GPU: that one is not
        // preempted.
        List<Container> asked = youngest(second);
        giveBack(busy, asked);
        cluster.scheduler().reservations().remove(gang.getApplicationAttemptId().getApplicationId());
        MockAM own = cluster.startApp("ml", Map.of(), List.of(), ofMasters);
        take(own, 1);
        goOn(rooms, PATIENCE_MS);
        assertEquals(
                3, held.stream().filter(container -> runs(container.getId())).count(), "the gang could not start");
    }

    private List<Container> youngest(MockNM node) {
        List<Container> there = on(node);
        return List.of(there.get(there.size() - 1));
    }
}
