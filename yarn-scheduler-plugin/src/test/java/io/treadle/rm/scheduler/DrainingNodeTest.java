// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that is decommissioned gracefully. YARN sets its total to what its containers hold. */
class DrainingNodeTest {
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void tasksOnANodeThatDrainsKeepTheirSizes(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.node.spare-vcores", "1");
        AtomicInteger rounds = new AtomicInteger();
        try (SchedulerHarness cluster = SchedulerHarness.start(conf, policy -> {
            rounds.incrementAndGet();
            return policy;
        })) {
            MockNM masters = cluster.node(1001, 0, 8, 8192);
            MockNM drains = cluster.node(1002, 2, 8, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), masters);
            List<Container> members = cluster.awaitContainers(am);
            cluster.launch(members);
            List<Resource> before = sizes(cluster, members);
            before.forEach(size -> assertEquals(3, size.getVirtualCores(), "(8 - 1) ÷ 2"));

            cluster.resourceManager.sendNodeGracefulDecommission(drains, 600);
            cluster.resourceManager.waitForState(drains.getNodeId(), NodeState.DECOMMISSIONING);
            SchedulerNode node = cluster.scheduler().getNode(drains.getNodeId());
            cluster.awaitTrue("the node's total is what it uses", () -> {
                cluster.heartbeat();
                return node.getTotalResource().equals(node.getAllocatedResource());
            });
            awaitRounds(cluster, rounds);
            assertEquals(before, sizes(cluster, members), "the scheduler leaves them as they are");

            List<UpdateContainerRequest> requests = new ArrayList<>();
            for (Container member : members) {
                Resource less = Resource.newInstance(member.getResource());
                less.setVirtualCores(1);
                requests.add(UpdateContainerRequest.newInstance(
                        member.getVersion(), member.getId(), ContainerUpdateType.DECREASE_RESOURCE, less, null));
            }
            am.sendContainerResizingRequest(requests);
            awaitRounds(cluster, rounds);
            assertEquals(before, sizes(cluster, members), "the node would not hear of what a profiler wants");
        }
    }

    private static void awaitRounds(SchedulerHarness cluster, AtomicInteger rounds) throws InterruptedException {
        int enough = rounds.get() + 5;
        cluster.awaitTrue("some rounds are planned", () -> {
            cluster.heartbeat();
            return rounds.get() >= enough;
        });
    }

    private static List<Resource> sizes(SchedulerHarness cluster, List<Container> members) {
        return members.stream()
                .map(c -> cluster.scheduler().getRMContainer(c.getId()).getAllocatedResource())
                .toList();
    }
}
