// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code yarn application -movetoqueue}. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class MovedGangTest {
    private final boolean asynchronous;

    MovedGangTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    /** Hadoop lists a container that shrinks twice, and moves what is listed. */
    @ParameterizedTest(name = "its ApplicationMaster has fetched the update {0}")
    @ValueSource(booleans = {false, true})
    void containerThatShrinksMeanwhileIsMovedOnce(boolean fetched) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        // The planner stays away: this test commits and resizes by hand.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 10, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            Gang gang = cluster.scheduler().gangs().find(id).orElseThrow();
            TaskPlacement task =
                    new TaskPlacement("worker", node.getNodeId().toString(), ResourceVector.of(1, 8, 512), List.of());
            assertEquals(
                    Optional.empty(), PlannedByHand.commit(cluster.scheduler().access(), gang, List.of(task)));
            Container worker = cluster.awaitRunning(am);
            ContainerResizer resizer = PlannedByHand.resizer(cluster.scheduler().access());
            assertEquals(1, resizer.shrink(gang, Map.of(worker.getId().toString(), ResourceVector.of(1, 6, 512)), 0));
            if (fetched) {
                // Until Hadoop's dispatcher comes to it, what the container gives back is still held.
                am.allocate(List.of(), List.of());
            }
            cluster.scheduler().preValidateMoveApplication(id, "plain");
            cluster.scheduler().moveApplication(id, "plain");
            cluster.awaitTrue("what the container gives back is released", () -> {
                cluster.pull(am);
                return cluster.used().equals(ResourceVector.of(1, 7, 640));
            });
            holds(cluster, "root.ml", ResourceVector.ZERO);
            holds(cluster, "root.plain", ResourceVector.of(1, 7, 640));
            cluster.resourceManager.killApp(id);
            cluster.awaitTrue("nothing is held", () -> {
                cluster.resourceManager.drainEvents();
                return cluster.used().equals(ResourceVector.ZERO);
            });
            holds(cluster, "root.ml", ResourceVector.ZERO);
            holds(cluster, "root.plain", ResourceVector.ZERO);
        }
    }

    /** Hadoop moves its own reservations in the books of the application alone. */
    @Test
    void nodeThatYarnReservedIsGivenUp() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo"))) {
            // What is left of both would do for the ApplicationMaster, and that of none.
            MockNM node = cluster.node(1001, 0, 2, 192);
            cluster.startApp("plain", Map.of(), List.of(), node);
            MockNM other = cluster.node(1002, 0, 2, 192);
            cluster.startApp("plain", Map.of(), List.of(), other);
            ApplicationId id =
                    cluster.submit("ml", SchedulerHarness.gang(1, 0, 1, 64).toProperties());
            cluster.awaitTrue("YARN reserves the node for the ApplicationMaster", () -> {
                cluster.heartbeat();
                return !isFree(cluster, node) || !isFree(cluster, other);
            });
            cluster.scheduler().preValidateMoveApplication(id, "plain");
            cluster.scheduler().moveApplication(id, "plain");
            holds(cluster, "root.ml", ResourceVector.ZERO);
            assertEquals(ResourceVector.ZERO, reserved(cluster, "root.ml"));
            cluster.resourceManager.killApp(id);
            cluster.awaitTrue("nothing is reserved", () -> {
                cluster.resourceManager.drainEvents();
                return isFree(cluster, node) && isFree(cluster, other);
            });
            for (String queue : List.of("root.ml", "root.plain", "root")) {
                assertEquals(ResourceVector.ZERO, reserved(cluster, queue), queue);
            }
            holds(cluster, "root.plain", ResourceVector.of(0, 2, 256));
        }
    }

    private static boolean isFree(SchedulerHarness cluster, MockNM node) {
        return cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() == null;
    }

    private static ResourceVector reserved(SchedulerHarness cluster, String queue) {
        return YarnResources.vector(
                cluster.scheduler().getQueue(queue).getQueueResourceUsage().getReserved());
    }

    private static void holds(SchedulerHarness cluster, String queue, ResourceVector held) {
        assertEquals(
                held,
                YarnResources.vector(cluster.scheduler()
                        .getQueue(queue)
                        .getQueueResourceUsage()
                        .getUsed()),
                queue);
    }

    @Test
    void gangIsPlannedInTheQueueThatItWasMovedTo() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "75");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM first = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            assertEquals(1, cluster.awaitContainers(first).size());
            MockAM second = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            ApplicationId id = second.getApplicationAttemptId().getApplicationId();
            cluster.awaitTrue("the queue is full", () -> {
                cluster.heartbeat();
                return cluster.scheduler()
                        .gangs()
                        .find(id)
                        .orElseThrow()
                        .reason()
                        .contains("queue root.ml has");
            });

            cluster.scheduler().preValidateMoveApplication(id, "plain");
            cluster.scheduler().moveApplication(id, "plain");
            assertEquals(
                    "root.plain",
                    cluster.scheduler().gangs().find(id).orElseThrow().queue());
            assertEquals(1, cluster.awaitContainers(second).size());
        }
    }
}
