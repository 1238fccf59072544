// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sites give their GPU nodes a label. The queues are guaranteed half of the labelled nodes each, and a node without a label is idle all
 * the time: nothing on it is of use to anybody here.
 */
class LabelledNodesTest {
    private static final String LABEL = "gpu";
    private static final int NODES = 4;
    private static final int VCORES = 16;

    private static SchedulerHarness start(YarnConfiguration conf) throws Exception {
        conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
        String root = "yarn.scheduler.capacity.root";
        conf.set(root + ".accessible-node-labels." + LABEL + ".capacity", "100");
        for (String queue : List.of(".ml", ".plain")) {
            conf.set(root + queue + ".accessible-node-labels", LABEL);
            conf.set(root + queue + ".accessible-node-labels." + LABEL + ".capacity", "50");
            conf.set(root + queue + ".accessible-node-labels." + LABEL + ".maximum-capacity", "100");
            conf.set(root + queue + ".default-node-label-expression", LABEL);
        }
        SchedulerHarness cluster = SchedulerHarness.start(conf);
        RMNodeLabelsManager labels = cluster.resourceManager.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of(LABEL));
        cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
        cluster.node(1000, 8, 64, 65_536);
        for (int i = 1; i <= NODES; i++) {
            MockNM node = cluster.node(1000 + i, 2, VCORES, 65_536);
            labels.replaceLabelsOnNode(Map.of(node.getNodeId(), Set.of(LABEL)));
            cluster.awaitTrue("the node has its label", () -> isLabelled(cluster, node));
        }
        return cluster;
    }

    private static boolean isLabelled(SchedulerHarness cluster, MockNM node) {
        return cluster.scheduler().getNode(node.getNodeId()).getPartition().equals(LABEL);
    }

    private static MockNM first(SchedulerHarness cluster) {
        return cluster.nodes().get(1);
    }

    private static ResourceVector used(SchedulerHarness cluster) {
        return YarnResources.vector(
                cluster.scheduler().getRootQueue().getQueueResourceUsage().getUsed(LABEL));
    }

    private static BusyApplication fill(SchedulerHarness cluster, String queue, long vcores, int beats)
            throws Exception {
        BusyApplication busy =
                BusyApplication.start(cluster, queue, ResourceVector.of(0, vcores, 256), beats, first(cluster));
        cluster.awaitTrue(
                "the labelled nodes are full",
                beating(cluster, busy, () -> used(cluster).vcores() >= NODES * VCORES - 8));
        return busy;
    }

    private static BooleanSupplier beating(SchedulerHarness cluster, BusyApplication busy, BooleanSupplier condition) {
        return () -> {
            cluster.heartbeat();
            busy.beat();
            return condition.getAsBoolean();
        };
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, policy {1}")
    @CsvSource({"false, fifo+synergy-tune", "true, fifo+synergy-tune", "false, srtf+synergy-balanced", "true, powerflow"
    })
    void gangStartsOnNodesOfItsLabelAndOthersBesideIt(boolean asynchronous, String policy) throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(asynchronous, policy))) {
            MockAM runs = cluster.startGang(SchedulerHarness.gang(4, 1, 2, 512), first(cluster));
            List<Container> members = cluster.awaitContainers(runs);
            assertEquals(4, members.size());
            assertTrue(members.stream().allMatch(member -> member.getNodeId().getPort() > 1000), members::toString);
            // Six GPUs with eight on the node without a label: it waits, and nobody waits for it.
            MockAM waits = cluster.startGang(SchedulerHarness.gang(6, 1, 1, 512), first(cluster));
            for (String queue : List.of("ml", "plain")) {
                MockAM other = cluster.startApp(
                        queue, Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 256), 1), first(cluster));
                assertEquals(1, cluster.awaitContainers(other).size(), queue);
            }
            assertEquals(List.of(), cluster.pull(waits));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void whatItsQueueIsGuaranteedOfTheLabelComesToAGang(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(GangReservationTest.settings(asynchronous))) {
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), first(cluster));
            BusyApplication busy = fill(cluster, "plain", 1, 12);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, GangReservationTest.awaitGang(cluster, am, busy).size());
            assertEquals(0, busy.preempted());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void preemptionEndsOnceWhatTheGangNeedsOfTheLabel(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(GangReservationTest.preempting(asynchronous))) {
            GangSpec spec = SchedulerHarness.gang(4, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), first(cluster));
            BusyApplication busy = fill(cluster, "plain", 2, 0);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            assertEquals(4, GangReservationTest.awaitGang(cluster, am, busy).size());
            GangReservationTest.calm(cluster, busy, List.of());
            assertTrue(busy.preempted() <= 8, () -> busy.preempted() + " executors were preempted");
        }
    }

    /** On the node without a label there is room for it. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void jobIsRefusedByTheNodesOfItsLabelAlone(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"))) {
            ApplicationId tooLarge =
                    cluster.submit("ml", SchedulerHarness.gang(1, 0, 40, 512).toProperties());
            cluster.resourceManager.waitForState(tooLarge, RMAppState.FAILED);
            String why = cluster.app(tooLarge).getDiagnostics().toString();
            assertTrue(why.contains("needs 1 × (40 vcores, 512 MiB), the whole cluster has room for 0"), why);
            // A labelled node is lost for a while: what needs it waits.
            MockNM second = cluster.nodes().get(2);
            cluster.lose(second);
            GangSpec all = SchedulerHarness.gang(NODES, 2, 1, 512);
            ApplicationId waits = cluster.submit("ml", all.toProperties());
            cluster.resourceManager.waitForState(waits, RMAppState.ACCEPTED);
            MockNM back = cluster.node(1009, 2, VCORES, 65_536);
            cluster.resourceManager
                    .getRMContext()
                    .getNodeLabelManager()
                    .replaceLabelsOnNode(Map.of(back.getNodeId(), Set.of(LABEL)));
            MockAM am = cluster.startApp(waits, SchedulerHarness.requests(all), first(cluster));
            assertEquals(NODES, cluster.awaitContainers(am).size());
        }
    }
}
