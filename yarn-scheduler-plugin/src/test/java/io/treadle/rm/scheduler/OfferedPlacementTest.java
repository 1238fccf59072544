// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.OfferedPlacement;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.algorithm.DefaultPlacementAlgorithm;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With Hadoop's placement processor a request is rejected for good when three nodes in turn have refused it. */
class OfferedPlacementTest {
    private static final int SLICED = 5;

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    /** By YARN's sums each node has a GPU; on all but the one that Hadoop's algorithm would try last it is in slices. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void requestGoesToANodeThatIsOfferedAndNotToThreeOthersFirst(boolean asynchronous) throws Exception {
        YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, "placement-processor");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            List<MockNM> sliced = new ArrayList<>();
            for (int port = 1001; port <= 1000 + SLICED; port++) {
                sliced.add(nodeWithOneCard(cluster, port));
            }
            GangSpec slices = new GangSpec(
                    List.of(new GangSpec.Group(
                            "worker", SLICED, SLICED, new ResourceVector(0, 9, 512, 8192, 0, 0), List.of())),
                    "",
                    0,
                    false,
                    0,
                    "");
            MockAM gang = cluster.startGang(slices, sliced.get(0));
            assertEquals(SLICED, cluster.awaitContainers(gang).size());
            MockNM whole = nodeWithOneCard(cluster, lastInOrder(sliced));
            List<NodeId> order = cluster.scheduler().getNodes(null).stream()
                    .map(SchedulerNode::getNodeID)
                    .toList();
            assertEquals(whole.getNodeId(), order.get(SLICED), () -> "the last one to be tried of " + order);
            MockAM asks = cluster.startApp("plain", Map.of(), List.of(), sliced.get(0));
            cluster.ask(asks, SchedulerHarness.request(7, Set.of("mine"), ResourceVector.of(1, 1, 256)));
            List<Container> got = new ArrayList<>();
            cluster.awaitTrue("the request is granted", () -> {
                AllocateResponse answer = cluster.answer(asks);
                assertEquals(List.of(), answer.getRejectedSchedulingRequests());
                got.addAll(answer.getAllocatedContainers());
                return !got.isEmpty();
            });
            assertEquals(whole.getNodeId(), got.get(0).getNodeId());
            assertEquals(0, cluster.scheduler().vetoes());
        }
    }

    @Test
    void algorithmThatAnAdminNamesStays() {
        Configuration conf = new Configuration(false);
        OfferedPlacement.install(conf);
        String key = YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_ALGORITHM_CLASS;
        assertEquals(OfferedPlacement.class.getName(), conf.get(key));
        conf.set(key, DefaultPlacementAlgorithm.class.getName());
        OfferedPlacement.install(conf);
        assertEquals(OfferedPlacement.class.getName(), conf.get(key));
        conf.set(key, "org.example.Their");
        OfferedPlacement.install(conf);
        assertEquals("org.example.Their", conf.get(key));
    }

    private MockNM nodeWithOneCard(SchedulerHarness cluster, int port) throws Exception {
        MockNM node = cluster.resourceManager.registerNode(
                "127.0.0.1:" + port, YarnResources.resource(new ResourceVector(1, 16, 8192, 40960, 0, 0)));
        cluster.watch(node);
        zooKeeper.devices(cluster, node, "A100", 1);
        return node;
    }

    /** The port by which a node comes after these in the table of nodes, which is a HashMap. */
    private static int lastInOrder(List<MockNM> nodes) {
        for (int port = 2000; ; port++) {
            Map<NodeId, Integer> table = new HashMap<>();
            nodes.forEach(node -> table.put(node.getNodeId(), 0));
            NodeId added = NodeId.newInstance("127.0.0.1", port);
            table.put(added, 0);
            if (List.copyOf(table.keySet()).get(nodes.size()).equals(added)) {
                return port;
            }
        }
    }
}
