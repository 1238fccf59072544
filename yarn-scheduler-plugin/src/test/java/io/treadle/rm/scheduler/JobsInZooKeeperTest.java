// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What jobs leave in ZooKeeper, and what they may gain by what they write there. */
class JobsInZooKeeperTest {
    private TestZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    @Test
    void whatAnEndedJobHasLeftIsDeletedAtTheStart() throws Exception {
        String ended = "application_1700000000000_0001";
        String elsewhere = "application_1700000000000_0002";
        zooKeeper.write(ZkPaths.job(ended), "");
        zooKeeper.write(ZkPaths.progress(ended), "{}");
        zooKeeper.write(ZkPaths.job(elsewhere), "another-cluster");
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            cluster.awaitTrue(
                    "the old node is gone",
                    () -> zooKeeper.read(ZkPaths.job(ended)).isEmpty());
            MockNM node = cluster.node(1001, 1, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            String job =
                    ZkPaths.job(am.getApplicationAttemptId().getApplicationId().toString());
            cluster.awaitTrue("the new one is there", () -> zooKeeper.read(job).isPresent());
            assertEquals(Optional.of("another-cluster"), zooKeeper.read(ZkPaths.job(elsewhere)));
        }
    }

    @Test
    void nodeThatYarnLosesForAMomentKeepsItsDevices() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            MockNM node = cluster.node(1001, 2, 9, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            cluster.resourceManager.sendNodeLost(node);
            cluster.resourceManager.drainEvents();
            assertEquals(List.of(), cluster.scheduler().report().nodes());
            cluster.node(1001, 2, 9, 8192);
            cluster.resourceManager.drainEvents();
            assertEquals(
                    List.of("A100-0", "A100-1"),
                    cluster.scheduler().report().nodes().get(0).devices().stream()
                            .map(NodeRecord.Device::uuid)
                            .toList());
        }
    }

    /** While it profiles, an ApplicationMaster resizes its containers; before and after, only the scheduler does. */
    @Test
    void applicationMasterGrowsItsContainersOnlyWhileItProfiles() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo");
        conf.set("hadoop.zk.address", zooKeeper.server.getConnectString());
        conf.set("yarn.scheduler.treadle.node.reserve-vcores", "5");
        // Hadoop asks for an increase at the host's name and finds no node of that name where names carry ports.
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            MockAM am = cluster.startGang(spec, node);
            Container container = cluster.awaitContainers(am).get(0);
            cluster.launch(List.of(container));
            assertEquals(4, vcores(cluster, container), "its share: 9 of the node less 5");

            ask(cluster, am, container, 6);
            cluster.heartbeat();
            assertEquals(List.of(), am.allocate(List.of(), List.of()).getUpdatedContainers());
            assertEquals(0, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores(), "it is not even asked");
            assertEquals(4, vcores(cluster, container));

            zooKeeper.says(cluster, am, ProfileRecord.Phase.PROFILING);
            cluster.awaitTrue("it grows itself while it profiles", () -> {
                ask(cluster, am, container, 6);
                cluster.heartbeat();
                return vcores(cluster, container) == 6;
            });
            zooKeeper.says(cluster, am, ProfileRecord.Phase.READY);
            cluster.awaitTrue("the scheduler takes it back", () -> {
                ask(cluster, am, container, 6);
                return vcores(cluster, container) == 4;
            });
        }
    }

    private static void ask(SchedulerHarness cluster, MockAM am, Container container, long vcores) {
        RMContainer known = cluster.scheduler().getRMContainer(container.getId());
        UpdateContainerRequest more = UpdateContainerRequest.newInstance(
                known.getContainer().getVersion(),
                container.getId(),
                ContainerUpdateType.INCREASE_RESOURCE,
                YarnResources.resource(ResourceVector.of(1, vcores, 512)),
                null);
        AllocateRequest request = AllocateRequest.newInstance(0, 0, List.of(), List.of(), null);
        request.setUpdateRequests(vcores(cluster, container) < vcores ? List.of(more) : List.of());
        try {
            am.allocate(request);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long vcores(SchedulerHarness cluster, Container container) {
        return cluster.scheduler()
                .getRMContainer(container.getId())
                .getAllocatedResource()
                .getVirtualCores();
    }
}
