// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.AwaitedDevices;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.ProposalGuard;
import io.treadle.rm.bridge.Refusals;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SharedStorageLimit;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.sleep.Sleeping;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.api.Test;

/** What CapacityScheduler has reserved is dropped where nobody can use it, and only that. */
class UsedReservationTest {
    private static final ResourceVector TASK = ResourceVector.of(0, 4, 512);

    /** Another thread has seen the reservation, and drops it when a heartbeat has just used it: the container runs. */
    @Test
    void containerThatCameOfAReservationIsNotEndedWithIt() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            MockNM node = cluster.node(1001, 0, 8, 8192);
            // With vcores for the limits of queues, so that YARN reserves, and too little memory for any container.
            cluster.node(1002, 0, 8, 100);
            MockAM first = cluster.startApp("plain", Map.of(), List.of(), node);
            MockAM second = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.ask(first, SchedulerHarness.asks(TASK, 1));
            List<Container> before = cluster.awaitContainers(first, 1);
            cluster.launch(before);
            cluster.ask(second, SchedulerHarness.asks(TASK, 1));
            RMContainer reserved = awaitReserved(cluster, node);
            cluster.complete(before);
            Container used = cluster.awaitContainers(second, 1).get(0);
            assertEquals(reserved.getContainerId(), used.getId());
            RMContainer runs = cluster.scheduler().getRMContainer(used.getId());
            cluster.scheduler().access().unreserve(reserved);
            assertSame(runs, cluster.scheduler().getRMContainer(used.getId()));
            assertEquals(6, cluster.used().vcores());
        }
    }

    /** CapacityScheduler proposes it again at each heartbeat of the node, and nobody else is served there. */
    @Test
    void refusedReservationForTheMasterOfAGangIsDropped() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            // Half of what the gang's master asks for is left beside the others.
            MockNM node = cluster.node(1001, 0, 8, 704);
            // With vcores for the limits of queues, so that YARN reserves, and too little memory for any container.
            cluster.node(1002, 0, 8, 100);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.ask(plain, SchedulerHarness.asks(TASK, 1));
            cluster.launch(cluster.awaitContainers(plain, 1));
            ApplicationId gang =
                    cluster.submit("ml", SchedulerHarness.gang(1, 0, 1, 256).toProperties());
            RMContainer reserved = awaitReserved(cluster, node);
            assertEquals(gang, reserved.getApplicationAttemptId().getApplicationId());
            SchedulerAccess access = cluster.scheduler().access();
            FiCaSchedulerApp app = access.app(gang).orElseThrow();
            FiCaSchedulerNode on = access.node(node.getNodeId()).orElseThrow();
            var container = new SchedulerContainer<>(app, on, reserved, "", true);
            var proposal = new ContainerAllocationProposal<>(
                    container,
                    List.of(),
                    container,
                    NodeType.OFF_SWITCH,
                    NodeType.OFF_SWITCH,
                    SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY,
                    reserved.getReservedResource());
            app.incUnconfirmedRes(reserved.getReservedResource());
            ProposalGuard guard = new ProposalGuard(
                    cluster.scheduler(),
                    access,
                    new NoTelemetry(),
                    Sleeping.NONE,
                    new SharedStorageLimit(access, 0),
                    new GangReservations(),
                    new Refusals(() -> 0, () -> {}),
                    new AwaitedDevices(access, Clock.systemUTC()));
            guard.refused(new ResourceCommitRequest<>(List.of(proposal), List.of(), List.of()), true, "a reason");
            assertNull(on.getReservedContainer());
        }
    }

    private static RMContainer awaitReserved(SchedulerHarness cluster, MockNM node) throws InterruptedException {
        FiCaSchedulerNode on =
                cluster.scheduler().access().node(node.getNodeId()).orElseThrow();
        cluster.awaitTrue("the node is reserved", () -> {
            cluster.heartbeat();
            return on.getReservedContainer() != null;
        });
        return Objects.requireNonNull(on.getReservedContainer());
    }
}
