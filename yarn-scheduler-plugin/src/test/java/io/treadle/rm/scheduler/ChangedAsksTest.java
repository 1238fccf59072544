// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An application changes what it asks for by one key, or asks by it for several things at once. */
class ChangedAsksTest {
    private static final ResourceVector SMALL = ResourceVector.of(0, 1, 256);
    private static final ResourceVector CARD = ResourceVector.of(1, 1, 256);
    private static final int CARDS = 6;
    /** With asynchronous scheduling proposals are on their way when the reason for a refusal arises. */
    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, "scheduler");
        return conf;
    }

    private MockNM node(SchedulerHarness cluster, int cards) throws Exception {
        MockNM node = cluster.resourceManager.registerNode(
                "127.0.0.1:1001", YarnResources.resource(new ResourceVector(cards, 32, 16384, 40960L * cards, 0, 0)));
        cluster.watch(node);
        zooKeeper.devices(cluster, node, "A100", cards);
        return node;
    }

    private record Slice(MockAM gang, List<Container> members) {}

    /** By YARN's sums the node has a GPU, which is in slices. */
    private static Slice slicing(SchedulerHarness cluster, MockNM node) throws Exception {
        MockAM gang = cluster.startGang(OthersAreServedTest.slice(), node);
        List<Container> members = cluster.awaitContainers(gang);
        cluster.launch(members);
        return new Slice(gang, members);
    }

    private static ResourceRequest at(String place, ResourceVector size, int count) {
        return ResourceRequest.newBuilder()
                .priority(Priority.newInstance(5))
                .resourceName(place)
                .capability(YarnResources.resource(size))
                .numContainers(count)
                .build();
    }

    private static void othersStart(SchedulerHarness cluster, MockNM node) throws Exception {
        othersStart(cluster, node, 0);
    }

    private static void othersStart(SchedulerHarness cluster, MockNM node, int more) throws Exception {
        OthersAreServedTest.othersStart(cluster, node);
        assertTrue(
                cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster) + more,
                () -> cluster.scheduler().vetoes() + " vetoes");
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, larger {1}")
    @CsvSource({"false, node", "true, node", "false, rack", "true, rack"})
    void moreOnANodeOrRackThanElsewhereKeepsNobodyWaiting(boolean asynchronous, String larger) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = node(cluster, 1);
            slicing(cluster, node);
            var known = cluster.scheduler().getNode(node.getNodeId());
            cluster.startApp(
                    "ml",
                    Map.of(),
                    List.of(
                            at(ResourceRequest.ANY, SMALL, 2),
                            at(known.getRackName(), larger.equals("rack") ? CARD : SMALL, 2),
                            at(
                                    known.getNodeName(),
                                    larger.equals("node") ? CARD : SMALL,
                                    larger.equals("node") ? 2 : 0)),
                    node);
            othersStart(cluster, node);
        }
    }

    /** Hadoop forgets the allocator of a key that nothing is asked for by, and makes one of its own for the next request. */
    @ParameterizedTest(name = "asynchronous scheduling {0}, past Treadle {1}")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void requestForNoneAndThenForSomeKeepsNobodyWaitingAndGetsItsDevice(boolean asynchronous, boolean pastTreadle)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = node(cluster, 1);
            Slice slice = slicing(cluster, node);
            MockAM asks = cluster.startApp("plain", Map.of(), List.of(), node);
            SchedulingRequest some = SchedulerHarness.request(7, Set.of("mine"), CARD);
            SchedulingRequest none = SchedulerHarness.request(7, Set.of("mine"), CARD);
            none.getResourceSizing().setNumAllocations(0);
            if (pastTreadle) {
                // As where a heartbeat meets a container that took the last of what was asked for by the key.
                cluster.scheduler()
                        .getApplicationAttempt(asks.getApplicationAttemptId())
                        .updateSchedulingRequests(List.of(some));
            } else {
                asks.allocate(List.of(), List.of(none, some), List.of());
            }
            // What came past Treadle is seen with its first proposal, which is refused, and is known from then on.
            othersStart(cluster, node, pastTreadle ? 1 : 0);
            assertEquals(List.of(), cluster.pull(asks));

            cluster.resourceManager.killApp(
                    slice.gang().getApplicationAttemptId().getApplicationId());
            cluster.complete(slice.members());
            Container got = cluster.awaitContainers(asks).get(0);
            assertEquals(
                    Set.of("mine", "treadle.dev.A100-0.all"),
                    cluster.scheduler().getRMContainer(got.getId()).getAllocationTags());
        }
    }

    /** Hadoop fulfils the reservation with the container that was reserved, and accounts for what is asked for then. */
    @ParameterizedTest(name = "asynchronous scheduling {0}, before {1}, then {2}")
    @CsvSource({"false, 1, 4", "true, 1, 4", "false, 4, 1", "true, 4, 1"})
    void askThatChangesWhileANodeIsReservedForItGetsWhatItsContainerSays(boolean asynchronous, int before, int then)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = node(cluster, CARDS);
            // Why CapacityScheduler counts on memory: there is no card.
            cluster.node(1002, 0, 8, 16_384);
            MockAM holds =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 6144), 2), node);
            List<Container> held = cluster.awaitContainers(holds, 2);
            cluster.launch(held);
            // Cards are free, and memory is not.
            MockAM asks = cluster.startApp(
                    "plain", Map.of(), List.of(at(ResourceRequest.ANY, ResourceVector.of(before, 1, 6144), 1)), node);
            cluster.awaitTrue("the node is reserved", () -> {
                cluster.heartbeat();
                return cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() != null;
            });
            cluster.ask(asks, List.of(at(ResourceRequest.ANY, ResourceVector.of(then, 1, 6144), 1)));
            cluster.complete(held);
            List<Container> got = new ArrayList<>(cluster.awaitContainers(asks));
            assertEquals(1, got.size());
            RMContainer granted = cluster.scheduler().getRMContainer(got.get(0).getId());
            assertEquals(then, YarnResources.vector(got.get(0).getResource()).gpus());
            assertEquals(
                    then, YarnResources.vector(granted.getAllocatedResource()).gpus());
            assertEquals(
                    then,
                    granted.getAllocationTags().stream()
                            .filter(tag -> tag.startsWith("treadle.dev."))
                            .count());
            assertEquals(then, cluster.used().gpus());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void plainAskOfOneSizeEverywhereIsServedAsEver(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockNM node = node(cluster, 1);
            slicing(cluster, node);
            var known = cluster.scheduler().getNode(node.getNodeId());
            MockAM asks = cluster.startApp(
                    "ml",
                    Map.of(),
                    List.of(
                            at(ResourceRequest.ANY, SMALL, 2),
                            at(known.getRackName(), SMALL, 2),
                            at(known.getNodeName(), SMALL, 2)),
                    node);
            cluster.awaitContainers(asks, 2);
            // The card on the node is asked for no more: what is left is asked for everywhere.
            cluster.ask(
                    asks,
                    List.of(
                            at(ResourceRequest.ANY, SMALL, 1),
                            at(known.getRackName(), SMALL, 1),
                            at(known.getNodeName(), CARD, 1)));
            cluster.ask(asks, List.of(at(known.getNodeName(), CARD, 0)));
            assertEquals(1, cluster.awaitContainers(asks).size());
        }
    }
}
