// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gang's asks say on which nodes it may start. Two nodes of two GPUs have an exclusive label, one of four GPUs has none; both
 * queues may use all, and at first neither has a default label.
 */
class AskedLabelsTest {
    private static final String LABEL = "x";
    private static final String ROOT = "yarn.scheduler.capacity.root";
    private static final String DEFAULT = ".default-node-label-expression";
    private static final GangSpec SPEC = SchedulerHarness.gang(4, 1, 1, 512);

    private static YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
        conf.set(ROOT + ".accessible-node-labels." + LABEL + ".capacity", "100");
        for (String queue : List.of(".ml", ".plain")) {
            conf.set(ROOT + queue + ".accessible-node-labels", LABEL);
            conf.set(ROOT + queue + ".accessible-node-labels." + LABEL + ".capacity", "50");
            conf.set(ROOT + queue + ".accessible-node-labels." + LABEL + ".maximum-capacity", "100");
        }
        return conf;
    }

    private static SchedulerHarness start(YarnConfiguration conf) throws Exception {
        SchedulerHarness cluster = SchedulerHarness.start(conf);
        RMNodeLabelsManager labels = cluster.resourceManager.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of(LABEL));
        refresh(cluster, conf);
        cluster.node(1000, 4, 16, 65_536);
        for (int i = 1; i <= 2; i++) {
            MockNM node = cluster.node(1000 + i, 2, 16, 65_536);
            labels.replaceLabelsOnNode(Map.of(node.getNodeId(), Set.of(LABEL)));
            cluster.awaitTrue("the node has its label", () -> cluster.scheduler()
                    .getNode(node.getNodeId())
                    .getPartition()
                    .equals(LABEL));
        }
        return cluster;
    }

    private static void refresh(SchedulerHarness cluster, YarnConfiguration conf) throws Exception {
        cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
    }

    private static MockNM masters(SchedulerHarness cluster) {
        return cluster.nodes().get(0);
    }

    private static boolean isLabelled(Container container) {
        return container.getNodeId().getPort() > 1000;
    }

    private static ApplicationId idOf(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }

    private static String partition(SchedulerHarness cluster, MockAM am) {
        return cluster.scheduler().gangs().find(idOf(am)).orElseThrow().partition();
    }

    /** As {@code yarn application -movetoqueue} does. */
    private static void move(SchedulerHarness cluster, MockAM am) throws Exception {
        cluster.resourceManager
                .getClientRMService()
                .moveApplicationAcrossQueues(MoveApplicationAcrossQueuesRequest.newInstance(idOf(am), "plain"));
    }

    private static List<ResourceRequest> labelled() {
        List<ResourceRequest> asks = SchedulerHarness.requests(SPEC);
        asks.forEach(ask -> ask.setNodeLabelExpression(LABEL));
        return asks;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void moveToAQueueOfAnotherDefaultChangesNoAsk(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        conf.set(ROOT + ".plain" + DEFAULT, LABEL);
        try (SchedulerHarness cluster = start(conf)) {
            MockAM runs = cluster.startGang(SPEC, masters(cluster));
            List<Container> members = cluster.awaitContainers(runs);
            cluster.launch(members);
            MockAM moved = cluster.startGang(SPEC, masters(cluster));
            cluster.awaitTrue("it waits", () -> {
                cluster.heartbeat();
                return cluster.scheduler()
                        .gangs()
                        .find(idOf(moved))
                        .filter(gang -> gang.state() == Gang.State.WAITING)
                        .isPresent();
            });
            move(cluster, moved);
            cluster.complete(members);
            List<Container> itsMembers = cluster.awaitContainers(moved);
            assertEquals(4, itsMembers.size());
            assertTrue(itsMembers.stream().noneMatch(AskedLabelsTest::isLabelled), itsMembers::toString);
        }
    }

    /** It has yet to ask: YARN writes the default of the queue that it is in by then into its asks. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatIsMovedBeforeItAsksGetsTheDefaultOfItsNewQueue(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        conf.set(ROOT + ".plain" + DEFAULT, LABEL);
        try (SchedulerHarness cluster = start(conf)) {
            MockAM am = cluster.startApp("ml", SPEC.toProperties(), List.of(), masters(cluster));
            move(cluster, am);
            am.allocate(SchedulerHarness.requests(SPEC), List.of());
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            assertTrue(members.stream().allMatch(AskedLabelsTest::isLabelled), members::toString);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void newDefaultOfTheQueueHoldsForAsksThatComeAfterIt(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous);
        try (SchedulerHarness cluster = start(conf)) {
            MockAM am = cluster.startApp("ml", SPEC.toProperties(), List.of(), masters(cluster));
            YarnConfiguration changed = new YarnConfiguration(conf);
            changed.set(ROOT + ".ml" + DEFAULT, LABEL);
            refresh(cluster, changed);
            am.allocate(SchedulerHarness.requests(SPEC), List.of());
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            assertTrue(members.stream().allMatch(AskedLabelsTest::isLabelled), members::toString);
            refresh(cluster, conf);
            cluster.launch(members);
            cluster.heartbeat();
            assertEquals(LABEL, partition(cluster, am), "what runs is no matter of a default");
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void applicationMasterMayNameTheLabelItself(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(settings(asynchronous))) {
            MockAM am = cluster.startApp("ml", SPEC.toProperties(), labelled(), masters(cluster));
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            assertTrue(members.stream().allMatch(AskedLabelsTest::isLabelled), members::toString);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void asksOfDifferentLabelsAreNotMetOnNodesOfOne(boolean asynchronous) throws Exception {
        GangSpec.Group group = SchedulerHarness.gang(1, 1, 1, 512).groups().get(0);
        GangSpec spec = new GangSpec(
                List.of(group, new GangSpec.Group("server", group.min(), group.max(), group.resources(), List.of())),
                "",
                0,
                false,
                0,
                "");
        try (SchedulerHarness cluster = start(settings(asynchronous))) {
            List<ResourceRequest> asks = SchedulerHarness.requests(spec);
            asks.get(1).setNodeLabelExpression(LABEL);
            MockAM am = cluster.startApp("ml", spec.toProperties(), asks, masters(cluster));
            cluster.awaitTrue("its reason says so", () -> {
                assertEquals(List.of(), cluster.pull(am));
                return cluster.scheduler()
                        .gangs()
                        .find(idOf(am))
                        .orElseThrow()
                        .reason()
                        .contains("nodes of label 'x'");
            });
        }
    }
}
