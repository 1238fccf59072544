// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job whose ApplicationMaster has ended while its tasks run on, with more vcores than they asked for. Others have taken the room
 * of the ApplicationMaster: the next one waits for what the tasks have, and so do others that are guaranteed it.
 */
class ShrinksWithoutMasterTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tasksGiveBackWhatOthersAndTheNextMasterWaitFor(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"))) {
            MockNM node = cluster.node(1001, 1, 10, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            ApplicationId id = cluster.submit("ml", spec.toProperties(), 2);
            MockAM master = cluster.startApp(id, SchedulerHarness.requests(spec), node);
            Container task = cluster.awaitRunning(master);
            assertEquals(8, task.getResource().getVirtualCores());

            cluster.ask(plain, SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 4));
            ApplicationAttemptId first = master.getApplicationAttemptId();
            node.nodeHeartbeat(first, 1, ContainerState.COMPLETE);
            cluster.silence(node);
            List<Container> toldNode = new ArrayList<>();
            List<Container> received = new ArrayList<>();
            cluster.awaitTrue("both have what they wait for", () -> {
                toldNode.addAll(beat(node));
                received.addAll(cluster.pull(plain));
                RMAppAttempt attempt = cluster.app(id).getCurrentAppAttempt();
                return received.size() == 4
                        && !attempt.getAppAttemptId().equals(first)
                        && attempt.getAppAttemptState() == RMAppAttemptState.ALLOCATED;
            });
            int atFirst = vcores(cluster, task);
            assertTrue(atFirst >= 1 && atFirst <= 4, "the task has " + atFirst + " vcores");

            MockAM next = cluster.resourceManager.sendAMLaunched(
                    cluster.app(id).getCurrentAppAttempt().getAppAttemptId());
            List<Container> before = next.registerAppAttempt().getContainersFromPreviousAttempts();
            assertEquals(
                    List.of(task.getId()), before.stream().map(Container::getId).toList());
            // A round of the plan may have taken more from the task at any moment; nobody gives it more until its
            // master answers.
            int told = before.get(0).getResource().getVirtualCores();
            assertTrue(
                    told <= atFirst && told >= vcores(cluster, task),
                    () -> "the task had " + atFirst + " vcores, its next ApplicationMaster was told " + told
                            + ", it has " + vcores(cluster, task));
            cluster.awaitTrue("the node is told the size that the task has", () -> {
                toldNode.addAll(beat(node));
                Container last = toldNode.get(toldNode.size() - 1);
                return last.getId().equals(task.getId())
                        && last.getResource().getVirtualCores() == vcores(cluster, task);
            });
            assertTrue(cluster.used().fitsIn(ResourceVector.of(1, 10, 8192)), () -> "the node gives " + cluster.used());
        }
    }

    private static int vcores(SchedulerHarness cluster, Container container) {
        return cluster.scheduler()
                .getRMContainer(container.getId())
                .getContainer()
                .getResource()
                .getVirtualCores();
    }

    /** What the node is told to change. */
    private static List<Container> beat(MockNM node) {
        try {
            return node.nodeHeartbeat(true).getContainersToUpdate();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
