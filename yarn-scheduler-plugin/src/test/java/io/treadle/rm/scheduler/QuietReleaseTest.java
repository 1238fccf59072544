// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.KnownDevices;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.sleep.Sleeping;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.log4j.Level;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members that end before they are fetched leave no error in the log and no tag in YARN's books. */
class QuietReleaseTest {
    private static final ResourceVector TASK = ResourceVector.of(1, 3, 512);

    private static YarnConfiguration withoutPlanner(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        return conf;
    }

    private static Optional<String> commit(SchedulerHarness cluster, SchedulerAccess access, MockAM am, MockNM node) {
        Gang gang = cluster.scheduler()
                .gangs()
                .find(am.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
        List<TaskPlacement> tasks = List.of(placement(node, "A"), placement(node, "B"));
        return new GangCommitter(access, KnownDevices.of("A", "B"), Sleeping.NONE, new GangReservations())
                .commit(gang, tasks);
    }

    private static TaskPlacement placement(MockNM node, String device) {
        return new TaskPlacement(
                "worker", node.getNodeId().toString(), TASK, List.of(new DeviceShare(device, 40960, true)));
    }

    private static void noTagIsLeft(SchedulerHarness cluster, NodeId node) throws Exception {
        cluster.awaitTrue("no tag is left", () -> {
            cluster.resourceManager.drainEvents();
            var tags = cluster.resourceManager
                    .getRMContext()
                    .getAllocationTagsManager()
                    .getAllocationTagsWithCount(node);
            return tags == null || tags.isEmpty();
        });
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatIsTakenBackLeavesNothing(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner(asynchronous));
                LogLines errors = new LogLines(RMContainerImpl.class.getName(), Level.ERROR)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            ResourceVector before = cluster.used();
            SchedulerAccess refuses =
                    new CountedHolds(cluster.scheduler().access()).refusing(2).access();
            assertTrue(commit(cluster, refuses, am, node).isPresent());
            cluster.resourceManager.drainEvents();
            assertEquals(before, cluster.used());
            assertEquals(List.of(), errors.lines());
            noTagIsLeft(cluster, node.getNodeId());
            AllocateResponse answer = am.allocate(List.of(), List.of());
            assertEquals(List.of(), answer.getAllocatedContainers());
            assertEquals(List.of(), answer.getCompletedContainersStatuses(), "it never hears of them");
            assertEquals(2, cluster.scheduler().getRootQueueMetrics().getPendingContainers());

            assertEquals(Optional.empty(), commit(cluster, cluster.scheduler().access(), am, node));
            assertEquals(
                    2,
                    am.allocate(List.of(), List.of()).getAllocatedContainers().size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void applicationThatEndsBeforeItFetchesItsGangLeavesNoTag(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner(asynchronous));
                LogLines errors = new LogLines(RMContainerImpl.class.getName(), Level.ERROR)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            assertEquals(Optional.empty(), commit(cluster, cluster.scheduler().access(), am, node));
            cluster.resourceManager.killApp(am.getApplicationAttemptId().getApplicationId());
            node.nodeHeartbeat(am.getApplicationAttemptId(), 1, ContainerState.COMPLETE);
            cluster.resourceManager.waitForState(am.getApplicationAttemptId().getApplicationId(), RMAppState.KILLED);
            cluster.awaitTrue("nothing is held", () -> {
                cluster.resourceManager.drainEvents();
                return cluster.used().equals(ResourceVector.ZERO);
            });
            noTagIsLeft(cluster, node.getNodeId());
            assertEquals(List.of(), errors.lines());
        }
    }
}
