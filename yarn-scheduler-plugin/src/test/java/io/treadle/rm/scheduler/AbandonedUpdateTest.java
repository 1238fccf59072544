// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.GangMembers;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.NoTelemetry;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.Test;

/** An ApplicationMaster that ends before it has heard that a container of its job shrinks. */
class AbandonedUpdateTest {
    private static YarnConfiguration settings() {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        // The worker's share stays the same when its ApplicationMaster is gone: the next one finds room.
        conf.set("yarn.scheduler.treadle.node.reserve-vcores", "2");
        return conf;
    }

    @Test
    void containerThatWasToShrinkCanBeResizedByTheNextAttempt() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings())) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            ApplicationId id = cluster.submit("ml", spec.toProperties(), 2);
            MockAM am = cluster.startApp(id, SchedulerHarness.requests(spec), node);
            Container container = cluster.awaitRunning(am);
            Gang gang = cluster.scheduler().gangs().find(id).orElseThrow();

            shrink(cluster, gang, container, am);
            assertEquals(3, containers(cluster, node), "the AM's, the worker's, and what the worker gives back");
            ApplicationAttemptId first = am.getApplicationAttemptId();
            node.nodeHeartbeat(first, 1, ContainerState.COMPLETE);
            cluster.awaitTrue("a second attempt starts", () -> {
                cluster.heartbeat();
                return !cluster.app(id).getCurrentAppAttempt().getAppAttemptId().equals(first)
                        && cluster.app(id).getCurrentAppAttempt().getAppAttemptState() == RMAppAttemptState.ALLOCATED;
            });
            MockAM next = cluster.resourceManager.sendAMLaunched(
                    cluster.app(id).getCurrentAppAttempt().getAppAttemptId());
            assertEquals(
                    List.of(container.getId()),
                    next.registerAppAttempt().getContainersFromPreviousAttempts().stream()
                            .map(Container::getId)
                            .toList());
            Map<ContainerId, RMContainer> live =
                    cluster.scheduler().access().app(id).orElseThrow().getLiveContainersMap();
            live.forEach((key, value) -> assertEquals(key, value.getContainerId()));
            assertEquals(2, containers(cluster, node));

            shrink(cluster, gang, container, next);
            cluster.awaitTrue("the new attempt hears of it", () -> {
                try {
                    return next.allocate(List.of(), List.of()).getUpdatedContainers().stream()
                            .anyMatch(u -> u.getContainer().getId().equals(container.getId()));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Test
    void nothingIsLeftOnTheNodeWhenTheJobEnds() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings())) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            ApplicationId id = cluster.submit("ml", spec.toProperties());
            MockAM am = cluster.startApp(id, SchedulerHarness.requests(spec), node);
            Container container = cluster.awaitRunning(am);
            shrink(cluster, cluster.scheduler().gangs().find(id).orElseThrow(), container, am);
            cluster.resourceManager.killApp(id);
            cluster.resourceManager.waitForState(id, RMAppState.KILLED);
            node.nodeHeartbeat(am.getApplicationAttemptId(), 1, ContainerState.COMPLETE);
            node.nodeHeartbeat(
                    am.getApplicationAttemptId(), container.getId().getContainerId(), ContainerState.COMPLETE);
            cluster.awaitTrue("the node is empty", () -> {
                cluster.heartbeat();
                return containers(cluster, node) == 0;
            });
            assertEquals(ResourceVector.ZERO, cluster.used());
        }
    }

    @Test
    void memberThatShrinksIsInItsGangOnceAndNotAtAllWhenItHasEnded() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings())) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            ApplicationId id = cluster.submit("ml", spec.toProperties());
            MockAM am = cluster.startApp(id, SchedulerHarness.requests(spec), node);
            Container container = cluster.awaitRunning(am);
            RMContainer member = cluster.scheduler().getRMContainer(container.getId());
            shrink(cluster, cluster.scheduler().gangs().find(id).orElseThrow(), container, am);
            GangMembers members = new GangMembers(
                    cluster.scheduler().access(), cluster.scheduler().gangs());
            assertEquals(List.of(member), members.wholeGang(member));

            cluster.scheduler().access().preempt(member, "its room is wanted");
            assertEquals(
                    2,
                    cluster.scheduler()
                            .getApplicationAttempt(am.getApplicationAttemptId())
                            .getLiveContainers()
                            .size(),
                    "Hadoop lists the ApplicationMaster and, until that asks again, the member");
            assertEquals(List.of(), members.wholeGang(member));
        }
    }

    /** An update of the planner's own, which the ApplicationMaster has not heard of, comes first. */
    private static void shrink(SchedulerHarness cluster, Gang gang, Container container, MockAM am) throws Exception {
        ContainerResizer resizer = new ContainerResizer(
                cluster.scheduler().access(), new MemoryWishes(new NoTelemetry(), (job, wanted) -> {}));
        Map<String, ResourceVector> sizes = Map.of(container.getId().toString(), ResourceVector.of(1, 2, 512));
        cluster.awaitTrue("the worker is asked to shrink", () -> {
            if (resizer.shrink(gang, sizes, 0) == 1) {
                return true;
            }
            try {
                am.allocate(List.of(), List.of());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return false;
        });
        assertFalse(gang.delivery().isBusy());
    }

    private static int containers(SchedulerHarness cluster, MockNM node) {
        return cluster.scheduler().getNode(node.getNodeId()).getNumContainers();
    }
}
