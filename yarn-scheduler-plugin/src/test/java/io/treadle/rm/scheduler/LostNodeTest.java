// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node is lost while a gang starts, at each moment at which that differs. */
class LostNodeTest {
    private static final String POLICY = "fifo+synergy-tune";

    private static ApplicationId id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }

    private static void pendingIs(SchedulerHarness cluster, int containers) {
        QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
        assertEquals(containers, metrics.getPendingContainers());
        assertEquals(containers * 512L, metrics.getPendingMB());
        assertEquals(containers, metrics.getPendingVirtualCores());
    }

    private static void endsWithNothingHeld(SchedulerHarness cluster, MockAM am, MockNM amNode) throws Exception {
        am.unregisterAppAttempt(
                FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", ""), true);
        amNode.nodeHeartbeat(am.getApplicationAttemptId(), 1, ContainerState.COMPLETE);
        cluster.resourceManager.waitForState(id(am), RMAppState.FINISHED);
        cluster.awaitTrue("nothing is held", () -> {
            cluster.resourceManager.drainEvents();
            return cluster.used().equals(ResourceVector.ZERO);
        });
        QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
        assertEquals(0, metrics.getAllocatedContainers());
        assertEquals(0, metrics.getAllocatedMB());
        assertEquals(0, metrics.getAllocatedVirtualCores());
        assertEquals(0, metrics.getReservedContainers());
        pendingIs(cluster, 0);
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatIsNotYetFetchedIsTakenBackAndGrantedAnew(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, POLICY))) {
            MockNM first = cluster.node(1001, 2, 9, 8192);
            MockNM second = cluster.node(1002, 2, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), first);
            cluster.awaitTrue("the gang is granted", () -> {
                cluster.heartbeat();
                return cluster.used().gpus() == 4;
            });
            cluster.lose(withoutMaster(cluster, am, first, second));
            QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
            cluster.awaitTrue(
                    "only the AM holds something and the gang is asked for again",
                    () -> cluster.used().equals(ResourceVector.of(0, 1, 128)) && metrics.getPendingVirtualCores() == 4);
            pendingIs(cluster, 4);
            assertEquals(List.of(), am.allocate(List.of(), List.of()).getAllocatedContainers());
            cluster.awaitReason(
                    id(am),
                    "Gang 0/4: needs 4 GPUs (4 × 1), 2 free, at most 2 on one node, room for 2 of 4 tasks",
                    cluster::heartbeat);

            cluster.node(1003, 2, 8, 8192);
            assertEquals(4, cluster.awaitContainers(am).size(), "all members come in one answer");
            pendingIs(cluster, 0);
            endsWithNothingHeld(cluster, am, withMaster(cluster, am, first, second));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatIsFetchedLosesAMemberAndGetsAnother(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, POLICY))) {
            MockNM first = cluster.node(1001, 2, 9, 8192);
            MockNM second = cluster.node(1002, 2, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), first);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            cluster.lose(withoutMaster(cluster, am, first, second));
            List<ContainerStatus> lost = new ArrayList<>();
            cluster.awaitTrue("the job is told which members it lost", () -> {
                lost.addAll(cluster.answer(am).getCompletedContainersStatuses());
                return lost.size() == 2;
            });
            am.allocate(SchedulerHarness.requests(SchedulerHarness.gang(2, 1, 1, 512)), List.of());
            cluster.awaitReason(
                    id(am),
                    "Gang 0/4: needs 4 GPUs (4 × 1), 0 free, at most 0 on one node, room for 0 of 4 tasks",
                    cluster::heartbeat);
            cluster.node(1003, 2, 8, 8192);
            assertEquals(2, cluster.awaitContainers(am).size());
            endsWithNothingHeld(cluster, am, withMaster(cluster, am, first, second));
        }
    }

    @Test
    void nodeThatIsLostBetweenPlanAndCommitStartsNothing() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        // The planner stays away: this test commits by hand.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = cluster.node(1001, 2, 9, 8192);
            MockNM second = cluster.node(1002, 2, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), first);
            List<TaskPlacement> plan = new ArrayList<>();
            for (MockNM node : List.of(first, second)) {
                plan.addAll(Collections.nCopies(
                        2,
                        new TaskPlacement(
                                "worker", node.getNodeId().toString(), ResourceVector.of(1, 3, 512), List.of())));
            }
            MockNM lost = withoutMaster(cluster, am, first, second);
            cluster.lose(lost);
            cluster.awaitTrue("the node is gone", () -> cluster.scheduler().getNumClusterNodes() == 1);
            Optional<String> refused = PlannedByHand.commit(
                    cluster.scheduler().access(),
                    cluster.scheduler().gangs().find(id(am)).orElseThrow(),
                    plan);
            assertEquals(Optional.of("node " + lost.getNodeId() + " is gone"), refused);
            assertEquals(ResourceVector.of(0, 1, 128), cluster.used());
            pendingIs(cluster, 4);
            endsWithNothingHeld(cluster, am, withMaster(cluster, am, first, second));
        }
    }

    /** Asynchronous scheduling puts the AM on either. */
    private static MockNM withMaster(SchedulerHarness cluster, MockAM am, MockNM one, MockNM other) {
        NodeId node =
                cluster.app(id(am)).getCurrentAppAttempt().getMasterContainer().getNodeId();
        return node.equals(one.getNodeId()) ? one : other;
    }

    private static MockNM withoutMaster(SchedulerHarness cluster, MockAM am, MockNM one, MockNM other) {
        return withMaster(cluster, am, one, other) == one ? other : one;
    }
}
