// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.SchedulerAccess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationPriorityRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gangs on a real ResourceManager whose nodes and ApplicationMasters are driven by hand. */
class GangGrantTest {
    private static final String POLICY = "fifo+synergy-tune";

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void waitsWholeAndIsDeliveredInOneAnswer(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, POLICY))) {
            MockNM first = cluster.node(1001, 2, 9, 8192);
            MockNM second = cluster.node(1002, 2, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(4, 1, 1, 512);
            ApplicationId id = cluster.submit("ml", spec.toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.ACCEPTED);
            cluster.awaitTrue("the AM's container is allocated", () -> {
                cluster.heartbeat();
                return cluster.app(id).getCurrentAppAttempt().getMasterContainer() != null;
            });
            // One node is there for the check at submission, and away while the gang waits: the one without the AM,
            // which
            // may be on either.
            boolean onFirst = cluster.app(id)
                    .getCurrentAppAttempt()
                    .getMasterContainer()
                    .getNodeId()
                    .equals(first.getNodeId());
            cluster.lose(onFirst ? second : first);
            MockAM am = cluster.resourceManager.sendAMLaunched(
                    cluster.app(id).getCurrentAppAttempt().getAppAttemptId());
            am.registerAppAttempt();
            am.allocate(SchedulerHarness.requests(spec), List.of());
            String reason = "Gang 0/4: needs 4 GPUs (4 × 1), 2 free, at most 2 on one node, room for 2 of 4 tasks";
            cluster.awaitReason(id, reason, cluster::heartbeat);
            cluster.awaitTrue(
                    "its diagnostics say so, too",
                    () -> reason.equals(String.valueOf(cluster.app(id).getDiagnostics())));
            assertEquals(List.of(), am.allocate(List.of(), List.of()).getAllocatedContainers());
            QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
            assertEquals(4, metrics.getPendingContainers());
            assertEquals(4 * 512, metrics.getPendingMB());

            cluster.node(1003, 2, 8, 8192);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size(), "all members come in one answer");
            assertEquals(0, metrics.getPendingContainers());
            assertEquals(0, metrics.getPendingMB());
            assertEquals(
                    0, metrics.getPendingVirtualCores(), "what was granted beyond the ask is not counted as asked");
            // (9 − 1 of the AM) ÷ 2 GPUs on the AM's node, 8 ÷ 2 on the other.
            assertTrue(
                    members.stream().allMatch(c -> c.getResource().getVirtualCores() == 4),
                    () -> "each member has its GPU-proportional share: " + members);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void twoGangsThatEachFitNeverHoldHalves(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, POLICY))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            cluster.node(1002, 2, 16, 8192);
            MockAM first = cluster.startGang(SchedulerHarness.gang(3, 1, 1, 512), node);
            MockAM second = cluster.startGang(SchedulerHarness.gang(3, 1, 1, 512), node);
            List<Container> granted = cluster.awaitContainers(first);
            assertEquals(3, granted.size());
            assertEquals(List.of(), cluster.pull(second));
            assertEquals(3, cluster.used().gpus(), "the second gang holds nothing");
            first.allocate(List.of(), granted.stream().map(Container::getId).toList());
            assertEquals(3, cluster.awaitContainers(second).size());
        }
    }

    @Test
    void higherPriorityComesFirst() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        conf.setInt(YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, 10);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 4, 16, 8192);
            MockAM runs = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), node);
            List<Container> granted = cluster.awaitContainers(runs);
            MockAM earlier = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), node);
            MockAM later = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), node);
            cluster.resourceManager
                    .getClientRMService()
                    .updateApplicationPriority(UpdateApplicationPriorityRequest.newInstance(
                            later.getApplicationAttemptId().getApplicationId(), Priority.newInstance(5)));
            runs.allocate(List.of(), granted.stream().map(Container::getId).toList());
            assertEquals(4, cluster.awaitContainers(later).size());
            assertEquals(List.of(), cluster.pull(earlier));
        }
    }

    @Test
    void memberRefusedHalfWayTakesTheOthersBack() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        // The planner stays away: this test commits by hand.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 4, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 512), node);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            ResourceVector before = cluster.used();
            List<TaskPlacement> tasks = Collections.nCopies(
                    4,
                    new TaskPlacement("worker", node.getNodeId().toString(), ResourceVector.of(1, 3, 512), List.of()));

            SchedulerAccess breaksAtThird = failingAt(cluster.scheduler().access(), 3);
            Optional<String> refused = PlannedByHand.commit(
                    breaksAtThird, cluster.scheduler().gangs().find(id).orElseThrow(), tasks);
            assertTrue(refused.isPresent());
            assertEquals(before, cluster.used(), "the members before the refused one are taken back");
            QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
            assertEquals(4, metrics.getPendingContainers());
            assertEquals(4 * 512, metrics.getPendingMB());
            assertEquals(4, metrics.getPendingVirtualCores());
            AllocateResponse answer = am.allocate(List.of(), List.of());
            assertEquals(List.of(), answer.getAllocatedContainers());
            assertEquals(List.of(), answer.getCompletedContainersStatuses(), "the AM never hears of them");

            Optional<String> second = PlannedByHand.commit(
                    cluster.scheduler().access(),
                    cluster.scheduler().gangs().find(id).orElseThrow(),
                    tasks);
            assertEquals(Optional.empty(), second);
            assertEquals(
                    4,
                    am.allocate(List.of(), List.of()).getAllocatedContainers().size());
        }
    }

    private static SchedulerAccess failingAt(SchedulerAccess real, int member) {
        AtomicInteger commits = new AtomicInteger();
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("commitPlanned") && commits.incrementAndGet() == member) {
                        return false;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void gangThatNeverFitsIsRefusedWithNumbers() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, POLICY))) {
            cluster.node(1001, 2, 8, 8192);
            ApplicationId id =
                    cluster.submit("ml", SchedulerHarness.gang(3, 1, 1, 512).toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.FAILED);
            String diagnostics = cluster.app(id).getDiagnostics().toString();
            assertTrue(
                    diagnostics.contains("task group 'worker' needs 3 × (1 GPU, 1 vcore, 512 MiB)")
                            && diagnostics.contains("the whole cluster has room for 2"),
                    diagnostics);
            assertTrue(cluster.scheduler().gangs().isEmpty());
        }
    }

    @Test
    void malformedPropertiesAreRefusedAtSubmission() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, POLICY))) {
            cluster.node(1001, 2, 8, 8192);
            ApplicationId id = cluster.submit("ml", Map.of(GangSpec.SPEC_VERSION, "9", GangSpec.GANG, "[]"));
            cluster.resourceManager.waitForState(id, RMAppState.FAILED);
            assertTrue(
                    cluster.app(id).getDiagnostics().toString().contains("treadle.spec-version is '9'"),
                    () -> cluster.app(id).getDiagnostics().toString());
        }
    }
}
