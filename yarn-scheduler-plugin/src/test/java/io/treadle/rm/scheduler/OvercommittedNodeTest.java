// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code yarn rmadmin -updateNodeResource} makes a node smaller than what a gang holds there. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class OvercommittedNodeTest {
    private final boolean asynchronous;

    OvercommittedNodeTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    @ParameterizedTest(name = "YARN waits {0} ms")
    @ValueSource(ints = {0, 500})
    void gangEndsWholeWhereYarnWouldEndContainers(int timeoutMs) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+proportional"))) {
            MockNM masters = cluster.node(1001, 0, 1, 1024);
            // The ApplicationMaster has room on each.
            MockNM node = cluster.node(1002, 0, 8, 8192 + 128);
            cluster.node(1003, 0, 8, 4096 + 128);
            MockAM am = cluster.startGang(SchedulerHarness.gang(3, 0, 1, 4096), masters);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(3, members.size());
            cluster.launch(members);
            cluster.resourceManager
                    .getRMContext()
                    .getDispatcher()
                    .getEventHandler()
                    .handle(new RMNodeResourceUpdateEvent(
                            node.getNodeId(),
                            ResourceOption.newInstance(
                                    YarnResources.resource(ResourceVector.of(0, 8, 4096)), timeoutMs)));
            cluster.awaitTrue("the gang has ended, on the other node too", () -> {
                cluster.heartbeat();
                return cluster.used().equals(ResourceVector.of(0, 1, 128));
            });
            // A node keeps the room of what has ended until it says that it is gone.
            cluster.complete(members);
            int left = cluster.nodes().stream()
                    .mapToInt(each ->
                            cluster.scheduler().getNode(each.getNodeId()).getNumContainers())
                    .sum();
            assertEquals(1, left, "the ApplicationMaster");
            long free = cluster.scheduler()
                    .getNode(node.getNodeId())
                    .getUnallocatedResource()
                    .getMemorySize();
            assertTrue(free == 4096 || free == 4096 - 128, free + " MiB are free");
        }
    }
}
