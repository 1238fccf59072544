// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ZooKeeper tells the scheduler of speeds and devices, and what it makes of that. */
class ResizeAndDevicesTest {
    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private SchedulerHarness cluster(boolean asynchronous) {
        return zooKeeper.cluster(asynchronous, "fifo+synergy-tune");
    }

    private static ProfileRecord profile(MockAM am, Map<Long, Double> speeds) {
        return new ProfileRecord(
                am.getApplicationAttemptId().getApplicationId().toString(),
                "",
                "A100",
                4,
                ProfileRecord.Phase.READY,
                1,
                speeds.entrySet().stream()
                        .map(e -> new ProfileRecord.Point(e.getKey(), 0, e.getValue(), 5))
                        .toList(),
                1);
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void coresMoveFromTheJobThatCannotUseThemToTheOneThatCan(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = cluster(asynchronous)) {
            MockNM node = cluster.node(1001, 2, 10, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM sensitive = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            Container fast = cluster.awaitContainers(sensitive).get(0);
            MockAM insensitive = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            Container slow = cluster.awaitContainers(insensitive).get(0);
            cluster.launch(List.of(fast, slow));
            String job = sensitive.getApplicationAttemptId().getApplicationId().toString();
            zooKeeper.write(
                    ZkPaths.profile(job),
                    profile(sensitive, Map.of(1L, 10.0, 4L, 40.0, 6L, 60.0, 8L, 60.5))
                            .toJson());
            String other =
                    insensitive.getApplicationAttemptId().getApplicationId().toString();
            zooKeeper.write(
                    ZkPaths.profile(other),
                    profile(insensitive, Map.of(1L, 30.0, 4L, 30.5)).toJson());

            cluster.awaitTrue("6 vcores for the one, 1 for the other", () -> {
                cluster.answer(sensitive);
                cluster.answer(insensitive);
                return vcores(cluster, fast) == 6 && vcores(cluster, slow) == 1;
            });
            RMContainer grown = cluster.scheduler().getRMContainer(fast.getId());
            assertTrue(grown.getContainer().getVersion() > 0, "the node is told by a new version");
            assertEquals(1, tags(grown).size(), "the device stays with the container");
            cluster.awaitTrue("nothing else is held: two AMs and 6 + 1 vcores", () -> {
                cluster.answer(sensitive);
                return cluster.used().vcores() == 2 + 6 + 1;
            });
            assertEquals(0, cluster.scheduler().getRootQueueMetrics().getPendingVirtualCores());
            assertEquals(0, cluster.scheduler().getRootQueueMetrics().getReservedVirtualCores());
        }
    }

    @Test
    void profileOfAnotherJobOrOfNoSenseIsIgnored() throws Exception {
        try (SchedulerHarness cluster = cluster(false)) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            Container container = cluster.awaitContainers(am).get(0);
            cluster.launch(List.of(container));
            String job = am.getApplicationAttemptId().getApplicationId().toString();
            String good = profile(am, Map.of(1L, 30.0, 4L, 30.5)).toJson();
            for (String bad : List.of(
                    "{", "[]", good.replace(job, "application_1_0001"), good.replace("\"schema\":1", "\"schema\":7"))) {
                zooKeeper.write(ZkPaths.profile(job), bad);
            }
            // What comes after the bad records is used: the ones before were read and left aside.
            String marker = profile(am, Map.of(1L, 10.0, 2L, 20.0, 4L, 20.0)).toJson();
            assertEquals(8, vcores(cluster, container));
            zooKeeper.write(ZkPaths.profile(job), marker);
            cluster.awaitTrue("the good record is used", () -> {
                cluster.answer(am);
                return vcores(cluster, container) == 2;
            });
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void plainApplicationIsNeverGivenASlicedCard(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = cluster(asynchronous)) {
            MockNM node = cluster.resourceManager.registerNode(
                    "127.0.0.1:1001", YarnResources.resource(new ResourceVector(2, 16, 8192, 81920, 0, 0)));
            cluster.watch(node);
            zooKeeper.devices(cluster, node, "A100", 2);
            GangSpec slice = new GangSpec(
                    List.of(new GangSpec.Group("worker", 1, 1, new ResourceVector(0, 1, 512, 8192, 0, 0), List.of())),
                    "",
                    0,
                    false,
                    0,
                    "");
            MockAM sliced = cluster.startGang(slice, node);
            Container piece = cluster.awaitContainers(sliced).get(0);
            DeviceTag held = DeviceTag.parse(tags(cluster.scheduler().getRMContainer(piece.getId()))
                            .iterator()
                            .next())
                    .orElseThrow();
            assertEquals(8192, held.sliceMiB().orElseThrow());

            ResourceRequest twoCards = ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(5))
                    .resourceName(ResourceRequest.ANY)
                    .capability(YarnResources.resource(ResourceVector.of(1, 1, 256)))
                    .numContainers(2)
                    .relaxLocality(true)
                    .build();
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(twoCards), node);
            Container card = cluster.awaitContainers(plain).get(0);
            Set<String> cardTags = tags(cluster.scheduler().getRMContainer(card.getId()));
            assertEquals(1, cardTags.size());
            DeviceTag whole = DeviceTag.parse(cardTags.iterator().next()).orElseThrow();
            assertTrue(
                    whole.sliceMiB().isEmpty() && !whole.uuid().equals(held.uuid()),
                    () -> cardTags + " beside " + held);
            // Behind it in the queue is one that needs no card: what cannot be given keeps nobody waiting.
            ResourceRequest noCard = ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(5))
                    .resourceName(ResourceRequest.ANY)
                    .capability(YarnResources.resource(ResourceVector.of(0, 1, 256)))
                    .numContainers(1)
                    .relaxLocality(true)
                    .build();
            MockAM behind = cluster.startApp("plain", Map.of(), List.of(noCard), node);
            assertEquals(1, cluster.awaitContainers(behind).size());
            assertEquals(1, cluster.used().gpus(), "the sliced card is no whole card");
            // Asynchronous scheduling may have proposed the second card before the first was committed.
            long before = cluster.scheduler().vetoes();
            assertTrue(asynchronous || before == 0, "it was not even proposed");

            twoCards.setNumContainers(2);
            // An application with an allocator of its own is not offered it either, and nobody behind it waits.
            MockAM stubborn = cluster.startApp(
                    "plain",
                    Map.of(
                            ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS,
                            LocalityAppPlacementAllocator.class.getName()),
                    List.of(twoCards),
                    node);
            // MockAM hands its asks over as they are, and YARN counts them down.
            noCard.setNumContainers(1);
            MockAM last = cluster.startApp("plain", Map.of(), List.of(noCard), node);
            assertEquals(1, cluster.awaitContainers(last).size());
            assertEquals(List.of(), cluster.pull(stubborn));
            assertEquals(1, cluster.used().gpus(), "the sliced card is no whole card");
        }
    }

    private static long vcores(SchedulerHarness cluster, Container container) {
        return cluster.scheduler()
                .getRMContainer(container.getId())
                .getAllocatedResource()
                .getVirtualCores();
    }

    private static Set<String> tags(RMContainer container) {
        return container.getAllocationTags().stream()
                .filter(t -> t.startsWith("treadle.dev."))
                .collect(Collectors.toSet());
    }
}
