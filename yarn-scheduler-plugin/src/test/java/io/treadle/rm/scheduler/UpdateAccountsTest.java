// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractCSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's counters after container updates: every container counted once, whatever became of its size. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class UpdateAccountsTest {
    private final boolean asynchronous;

    UpdateAccountsTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private TestZooKeeper zooKeeper;
    private SchedulerHarness cluster;
    private MockNM node;
    private MockAM am;
    private Container worker;
    private LogLines errors;

    @BeforeEach
    void start() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        // The planner stays away: this test commits and resizes by hand.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        // Hadoop asks for an increase at the host's name and finds no node of that name where names carry ports.
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 16);
        conf.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
        zooKeeper = new TestZooKeeper();
        conf.set("hadoop.zk.address", zooKeeper.server.getConnectString());
        cluster = SchedulerHarness.start(conf);
        node = cluster.node(1001, 2, 10, 8192);
        am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
        TaskPlacement task =
                new TaskPlacement("worker", node.getNodeId().toString(), ResourceVector.of(1, 4, 512), List.of());
        Optional<String> refused = PlannedByHand.commit(
                cluster.scheduler().access(),
                cluster.scheduler().gangs().find(id()).orElseThrow(),
                List.of(task));
        assertEquals(Optional.empty(), refused);
        worker = cluster.awaitContainers(am).get(0);
        cluster.launch(List.of(worker));
        zooKeeper.says(cluster, am, ProfileRecord.Phase.PROFILING);
        errors = new LogLines(RMContainerImpl.class.getName(), Level.ERROR);
    }

    @AfterEach
    void stop() throws Exception {
        errors.close();
        cluster.close();
        zooKeeper.close();
    }

    private ApplicationId id() {
        return am.getApplicationAttemptId().getApplicationId();
    }

    private long vcores() {
        return cluster.scheduler()
                .getRMContainer(worker.getId())
                .getAllocatedResource()
                .getVirtualCores();
    }

    private void ask(ContainerUpdateType type, long vcores) throws Exception {
        int version = cluster.scheduler()
                .getRMContainer(worker.getId())
                .getContainer()
                .getVersion();
        am.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                version, worker.getId(), type, YarnResources.resource(ResourceVector.of(1, vcores, 512)), null)));
    }

    private void resize(ContainerUpdateType type, long vcores) throws Exception {
        ask(type, vcores);
        cluster.awaitTrue("the worker has " + vcores + " vcores", () -> {
            pull();
            return vcores() == vcores;
        });
        counts(vcores);
    }

    private void pull() {
        try {
            cluster.pull(am);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two containers, the AM's and the worker's, on every level and in every count. */
    private void counts(long vcores) throws Exception {
        cluster.awaitTrue("what the update used is released", () -> {
            pull();
            return cluster.used().equals(ResourceVector.of(1, 1 + vcores, 640));
        });
        for (CSQueue queue : List.of(
                cluster.scheduler().getQueue("root.ml"), cluster.scheduler().getRootQueue())) {
            assertEquals(2, ((AbstractCSQueue) queue).getNumContainers(), queue.getQueuePath());
            QueueMetrics metrics = queue.getMetrics();
            assertEquals(2, metrics.getAllocatedContainers(), queue.getQueuePath());
            assertEquals(1 + vcores, metrics.getAllocatedVirtualCores(), queue.getQueuePath());
            assertEquals(640, metrics.getAllocatedMB(), queue.getQueuePath());
        }
    }

    @Test
    void decreasesAreCountedAndMakeNoNoise() throws Exception {
        counts(4);
        resize(ContainerUpdateType.DECREASE_RESOURCE, 3);
        resize(ContainerUpdateType.DECREASE_RESOURCE, 2);
        resize(ContainerUpdateType.DECREASE_RESOURCE, 1);
        assertEquals(List.of(), errors.lines());
    }

    @Test
    void increasesAreCounted() throws Exception {
        resize(ContainerUpdateType.INCREASE_RESOURCE, 6);
        resize(ContainerUpdateType.DECREASE_RESOURCE, 2);
        resize(ContainerUpdateType.INCREASE_RESOURCE, 5);
        assertEquals(List.of(), errors.lines(), "a granted increase is no error");
    }

    @Test
    void increaseThatIsTakenBackBeforeThereWasRoomLeavesNoTrace() throws Exception {
        // 5 of 10 vcores are free, 6 are needed.
        ask(ContainerUpdateType.INCREASE_RESOURCE, 10);
        resize(ContainerUpdateType.DECREASE_RESOURCE, 3);
        assertEquals(0, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores());
        assertEquals(0, cluster.scheduler().getRootQueueMetrics().getReservedVirtualCores());
    }

    /** Nothing is offered to a container that has ended: its ask would stay, and its user would count as one who waits. */
    @Test
    void increaseOfAContainerThatEndsBeforeThereWasRoomLeavesNoTrace() throws Exception {
        ask(ContainerUpdateType.INCREASE_RESOURCE, 10);
        assertEquals(6, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores());
        cluster.complete(List.of(worker));
        assertEquals(0, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores());
        assertEquals(0, cluster.scheduler().getRootQueueMetrics().getPendingContainers());
    }

    @Test
    void demotedContainerIsCountedOnceNoMore() throws Exception {
        am.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                worker.getVersion(),
                worker.getId(),
                ContainerUpdateType.DEMOTE_EXECUTION_TYPE,
                null,
                ExecutionType.OPPORTUNISTIC)));
        cluster.awaitTrue("the worker is opportunistic and what it held is released", () -> {
            pull();
            return cluster.scheduler().getRMContainer(worker.getId()).getExecutionType() == ExecutionType.OPPORTUNISTIC
                    && cluster.used().equals(ResourceVector.of(0, 1, 128));
        });
        for (CSQueue queue : List.of(
                cluster.scheduler().getQueue("root.ml"), cluster.scheduler().getRootQueue())) {
            assertEquals(1, ((AbstractCSQueue) queue).getNumContainers(), queue.getQueuePath());
            assertEquals(1, queue.getMetrics().getAllocatedContainers(), queue.getQueuePath());
        }
    }

    @Test
    void nothingIsLeftInTheEnd() throws Exception {
        resize(ContainerUpdateType.DECREASE_RESOURCE, 2);
        resize(ContainerUpdateType.INCREASE_RESOURCE, 5);
        cluster.resourceManager.killApp(id());
        cluster.awaitTrue("nothing is held", () -> {
            cluster.resourceManager.drainEvents();
            return cluster.used().equals(ResourceVector.ZERO);
        });
        assertEquals(0, ((AbstractCSQueue) cluster.scheduler().getRootQueue()).getNumContainers());
        assertEquals(0, cluster.scheduler().getRootQueueMetrics().getAllocatedContainers());
        assertEquals(0, cluster.scheduler().getRootQueueMetrics().getAllocatedVirtualCores());
    }
}
