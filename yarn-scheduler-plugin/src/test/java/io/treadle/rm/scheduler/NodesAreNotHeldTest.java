// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Container updates and reservations that cannot be fulfilled keep no node from others; allocators of a site are heard. */
class NodesAreNotHeldTest {
    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.ordering-policy", "fifo");
        return conf;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void memberThatCannotGrowKeepsNobodyWaiting(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = cluster.node(1001, 0, 8, 8192);
            nodeForNobody(cluster);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 0, 1, 512), node);
            Container member = cluster.awaitContainers(am).get(0);
            cluster.launch(List.of(member));
            ContainerUpdates updates = new ContainerUpdates();
            updates.getIncreaseRequests()
                    .add(UpdateContainerRequest.newInstance(
                            member.getVersion(),
                            member.getId(),
                            ContainerUpdateType.INCREASE_RESOURCE,
                            YarnResources.resource(ResourceVector.of(0, 8, 512)),
                            null));
            cluster.scheduler().access().locked(() -> {
                cluster.scheduler()
                        .access()
                        .update(
                                cluster.scheduler()
                                        .access()
                                        .app(am.getApplicationAttemptId().getApplicationId())
                                        .orElseThrow(),
                                updates);
                return true;
            });
            assertStarts(cluster, "ml", node);
            assertStarts(cluster, "plain", node);
            assertTrue(
                    cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster),
                    () -> cluster.scheduler().vetoes() + " vetoes");
        }
    }

    /** A card that breaks after the node was reserved for it is no longer worth a reservation. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void reservationForACardThatIsLostIsGivenUp(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            nodeForNobody(cluster);
            MockAM holder = cluster.startApp("plain", Map.of(), List.of(any(ResourceVector.of(1, 1, 256), 2)), node);
            List<Container> held = new ArrayList<>();
            cluster.awaitTrue("it holds both cards", () -> {
                held.addAll(cluster.pull(holder));
                return held.size() == 2;
            });
            cluster.launch(held);
            MockAM waits = cluster.startApp("plain", Map.of(), List.of(any(ResourceVector.of(1, 1, 256), 1)), node);
            SchedulerNode known = cluster.scheduler().getNode(node.getNodeId());
            cluster.awaitTrue("the node is reserved", () -> {
                cluster.pull(waits);
                return known.getReservedContainer() != null;
            });
            assertNotNull(known.getReservedContainer());

            String lost = DeviceTag.parse(cluster.scheduler()
                            .getRMContainer(held.get(0).getId())
                            .getAllocationTags()
                            .iterator()
                            .next())
                    .orElseThrow()
                    .uuid();
            breaks(cluster, node, lost);
            holder.allocate(List.of(), List.of(held.get(0).getId()));
            cluster.complete(List.of(held.get(0)));
            assertStarts(cluster, "plain", node);
            assertStarts(cluster, "ml", node);
            assertNull(known.getReservedContainer());
            assertEquals(List.of(), cluster.pull(waits));

            // Once a card is whole again and free it gets that.
            holder.allocate(List.of(), List.of(held.get(1).getId()));
            cluster.complete(List.of(held.get(1)));
            assertEquals(1, cluster.awaitContainers(waits).size());
        }
    }

    /** The cluster has room, so that YARN reserves; this node has too little memory for any container. */
    private static void nodeForNobody(SchedulerHarness cluster) throws Exception {
        cluster.node(1002, 2, 8, 100);
    }

    private void breaks(SchedulerHarness cluster, MockNM node, String lost) throws Exception {
        List<NodeRecord.Device> devices = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String uuid = "A100-" + i;
            NodeRecord.Health health = uuid.equals(lost) ? NodeRecord.Health.LOST : NodeRecord.Health.OK;
            devices.add(new NodeRecord.Device(uuid, i, "A100", 40960, true, health, 0, 0, 0, 0, 0, 0, List.of()));
        }
        String id = node.getNodeId().toString();
        zooKeeper.write(ZkPaths.node(id), new NodeRecord(id, 1, devices).toJson());
        cluster.awaitTrue(
                "the scheduler knows that the card is lost", () -> cluster.scheduler().report().nodes().stream()
                        .anyMatch(n -> n.devices().stream().anyMatch(d -> d.health() == NodeRecord.Health.LOST)));
    }

    /** An allocator of the site: no container on a node of which it says no. */
    public static final class SitesAllocator<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {
        static final AtomicInteger ASKED = new AtomicInteger();

        @Override
        public boolean precheckNode(SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> collector) {
            ASKED.incrementAndGet();
            return super.precheckNode(node, mode, collector);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, named by the application {1}")
    @CsvSource({"false, false", "true, false", "false, true"})
    void allocatorOfTheSiteIsAskedBehindOurs(boolean asynchronous, boolean byApplication) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        String name = SitesAllocator.class.getName();
        if (!byApplication) {
            conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, name);
        }
        SitesAllocator.ASKED.set(0);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, 8, 8192);
            Map<String, String> properties = byApplication
                    ? Map.of(ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS, name)
                    : Map.of();
            MockAM plain = cluster.startApp("plain", properties, List.of(any(ResourceVector.of(0, 1, 256), 1)), node);
            assertEquals(1, cluster.awaitContainers(plain).size());
            assertTrue(SitesAllocator.ASKED.get() > 0, "it was asked");
            MockAM gang = cluster.startGang(SchedulerHarness.gang(2, 0, 1, 512), node);
            assertEquals(2, cluster.awaitContainers(gang).size());
            assertTrue(cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster));
        }
    }

    private static void assertStarts(SchedulerHarness cluster, String queue, MockNM node) throws Exception {
        MockAM other = cluster.startApp(queue, Map.of(), List.of(any(ResourceVector.of(0, 1, 256), 1)), node);
        assertEquals(1, cluster.awaitContainers(other).size(), queue);
    }

    private static ResourceRequest any(ResourceVector size, int count) {
        return ResourceRequest.newBuilder()
                .priority(Priority.newInstance(5))
                .resourceName(ResourceRequest.ANY)
                .capability(YarnResources.resource(size))
                .numContainers(count)
                .relaxLocality(true)
                .build();
    }
}
