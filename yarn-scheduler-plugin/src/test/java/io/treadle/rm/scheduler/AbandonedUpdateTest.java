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
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** An ApplicationMaster that ends before it has heard that a container of its job shrinks. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class AbandonedUpdateTest {
    private final boolean asynchronous;

    AbandonedUpdateTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private YarnConfiguration settings() {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        // The worker's share stays the same when its ApplicationMaster is gone: the next one finds room.
        conf.set("yarn.scheduler.treadle.node.reserve-vcores", "2");
        return conf;
    }

    /** A job of one worker that runs. */
    private record Job(MockNM node, ApplicationId id, MockAM am, Container container, Gang gang) {
        /** @param attempts how many its ApplicationMaster has */
        static Job start(SchedulerHarness cluster, int attempts) throws Exception {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            ApplicationId id = cluster.submit("ml", spec.toProperties(), attempts);
            MockAM am = cluster.startApp(id, SchedulerHarness.requests(spec), node);
            return new Job(
                    node,
                    id,
                    am,
                    cluster.awaitRunning(am),
                    cluster.scheduler().gangs().find(id).orElseThrow());
        }
    }

    @Test
    void containerThatWasToShrinkCanBeResizedByTheNextAttempt() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings())) {
            Job job = Job.start(cluster, 2);
            MockNM node = job.node();
            ApplicationId id = job.id();
            Container container = job.container();

            shrink(cluster, job, job.am());
            assertEquals(3, containers(cluster, node), "the AM's, the worker's, and what the worker gives back");
            ApplicationAttemptId first = job.am().getApplicationAttemptId();
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

            shrink(cluster, job, next);
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
            Job job = Job.start(cluster, 1);
            MockNM node = job.node();
            ApplicationAttemptId attempt = job.am().getApplicationAttemptId();
            shrink(cluster, job, job.am());
            cluster.resourceManager.killApp(job.id());
            cluster.resourceManager.waitForState(job.id(), RMAppState.KILLED);
            node.nodeHeartbeat(attempt, 1, ContainerState.COMPLETE);
            node.nodeHeartbeat(attempt, job.container().getId().getContainerId(), ContainerState.COMPLETE);
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
            Job job = Job.start(cluster, 1);
            RMContainer member =
                    cluster.scheduler().getRMContainer(job.container().getId());
            shrink(cluster, job, job.am());
            GangMembers members = new GangMembers(
                    cluster.scheduler().access(), cluster.scheduler().gangs());
            assertEquals(List.of(member), members.wholeGang(member));

            cluster.scheduler().access().preempt(member, "its room is wanted");
            assertEquals(
                    2,
                    cluster.scheduler()
                            .getApplicationAttempt(job.am().getApplicationAttemptId())
                            .getLiveContainers()
                            .size(),
                    "Hadoop lists the ApplicationMaster and, until that asks again, the member");
            assertEquals(List.of(), members.wholeGang(member));
        }
    }

    /** An update of the planner's own, which the ApplicationMaster has not heard of, comes first. */
    private static void shrink(SchedulerHarness cluster, Job job, MockAM am) throws Exception {
        ContainerResizer resizer = new ContainerResizer(
                cluster.scheduler().access(), new MemoryWishes(new NoTelemetry(), (id, wanted) -> {}));
        Map<String, ResourceVector> sizes = Map.of(job.container().getId().toString(), ResourceVector.of(1, 2, 512));
        cluster.awaitTrue("the worker is asked to shrink", () -> {
            if (resizer.shrink(job.gang(), sizes, 0) == 1) {
                return true;
            }
            try {
                am.allocate(List.of(), List.of());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return false;
        });
        assertFalse(job.gang().delivery().isBusy());
    }

    private static int containers(SchedulerHarness cluster, MockNM node) {
        return cluster.scheduler().getNode(node.getNodeId()).getNumContainers();
    }
}
