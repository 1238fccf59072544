// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YARN gives the room of opportunistic containers to any ask; the NodeManager ends them or holds them back then. */
class OpportunisticRoomTest {
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void isFreeForAGang(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+proportional"))) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            // More than the node has: some of them wait there.
            for (int i = 0; i < 6; i++) {
                SchedulerUtils.createOpportunisticRmContainer(
                        cluster.resourceManager.getRMContext(), opportunistic(plain, node, 100 + i), false);
            }
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 0, 6, 1024), node);
            assertEquals(2, cluster.awaitContainers(am).size());
        }
    }

    private static Container opportunistic(MockAM am, MockNM node, long number) {
        Container container = Container.newInstance(
                ContainerId.newContainerId(am.getApplicationAttemptId(), number),
                node.getNodeId(),
                node.getNodeId().toString(),
                YarnResources.resource(ResourceVector.of(0, 4, 1024)),
                Priority.newInstance(1),
                null);
        container.setExecutionType(ExecutionType.OPPORTUNISTIC);
        return container;
    }
}
