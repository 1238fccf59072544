// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An administrator gives nodes another label while jobs run on them. */
class RelabelledNodeTest {
    @ParameterizedTest(name = "asynchronous scheduling {0}, {1}, {2} nodes")
    @CsvSource({
        "false, fifo+synergy-tune, 1",
        "true, srtf+synergy-balanced, 1",
        "false, powerflow, 1",
        "true, fifo+proportional, 2",
        "false, smd, 2",
    })
    void jobOnARelabelledNodeIsLeftAsItIsAndTheNextOneStarts(boolean asynchronous, String policy, int relabelled)
            throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, policy);
        conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        Set<Long> othersUse = ConcurrentHashMap.newKeySet();
        try (SchedulerHarness cluster = SchedulerHarness.start(
                conf,
                each -> new WatchedPolicy(
                        each,
                        snapshot -> othersUse.add(snapshot.queue().othersUse().vcores())))) {
            MockNM masters = cluster.node(1001, 0, 8, 8192);
            GangSpec first = SchedulerHarness.gang(4, 1, 1, 512);
            MockAM runs = cluster.startApp("ml", first.toProperties(), List.of(), masters);
            GangSpec next = SchedulerHarness.gang(2, 1, 1, 512);
            MockAM waits = cluster.startApp("ml", next.toProperties(), List.of(), masters);
            List<MockNM> old = List.of(cluster.node(1002, 2, 8, 8192), cluster.node(1003, 2, 8, 8192));
            runs.allocate(SchedulerHarness.requests(first), List.of());
            List<Container> members = cluster.awaitContainers(runs);
            assertEquals(4, members.size());
            cluster.launch(members);

            RMNodeLabelsManager labels = cluster.resourceManager.getRMContext().getNodeLabelManager();
            labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("x"));
            for (MockNM node : old.subList(0, relabelled)) {
                labels.replaceLabelsOnNode(Map.of(node.getNodeId(), Set.of("x")));
            }
            cluster.awaitTrue("the nodes have left the partition", () -> old.subList(0, relabelled).stream()
                    .allMatch(node -> partition(cluster, node.getNodeId()).equals("x")));
            List<ResourceVector> before = sizes(cluster, members);
            cluster.node(1004, 2, 8, 8192);
            // powerflow is asked again only after a change: this is the last one.
            othersUse.clear();
            waits.allocate(SchedulerHarness.requests(next), List.of());
            assertEquals(2, cluster.awaitContainers(waits).size(), "the next job starts");
            cluster.awaitTrue("another round", () -> !othersUse.isEmpty());
            ApplicationId id = runs.getApplicationAttemptId().getApplicationId();
            for (int i = 0; i < members.size(); i++) {
                String label = partition(cluster, members.get(i).getNodeId());
                if (label.equals("x")) {
                    assertEquals(before.get(i), sizes(cluster, members).get(i), "tasks there keep their sizes");
                }
            }
            assertEquals(4, live(cluster, id), "all its tasks run on");
            assertEquals(
                    Set.of(2L), othersUse, "both masters are in the queue, and no task elsewhere is taken off its use");
        }
    }

    private static String partition(SchedulerHarness cluster, NodeId node) {
        return cluster.scheduler().getNode(node).getPartition();
    }

    private static List<ResourceVector> sizes(SchedulerHarness cluster, List<Container> members) {
        return members.stream()
                .map(c -> YarnResources.vector(
                        cluster.scheduler().getRMContainer(c.getId()).getAllocatedResource()))
                .toList();
    }

    /** Without the ApplicationMaster. */
    private static int live(SchedulerHarness cluster, ApplicationId id) {
        return cluster.scheduler()
                        .access()
                        .app(id)
                        .orElseThrow()
                        .getLiveContainers()
                        .size()
                - 1;
    }
}
