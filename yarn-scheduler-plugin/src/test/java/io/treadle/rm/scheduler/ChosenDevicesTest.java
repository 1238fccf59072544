// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.TokenTags;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.client.AMRMClientUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On every path by which YARN grants a container: its tags name its GPUs, and no GPU is named by two. */
class ChosenDevicesTest {
    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private YarnConfiguration settings(boolean asynchronous, String handler) {
        YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, handler);
        return conf;
    }

    /** Hadoop's placement processor commits on threads of its own. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void twoThreadsNeverGiveTheSameDevice(boolean asynchronous) throws Exception {
        int pairs = 60;
        YarnConfiguration conf = settings(asynchronous, "placement-processor");
        conf.set("yarn.scheduler.treadle.shared-storage-mbps", "100000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.resourceManager.registerNode(
                    "127.0.0.1:1001",
                    YarnResources.resource(
                            ResourceVector.of(2L * pairs, 1000, 100_000).withStorageMBps(1000)));
            cluster.watch(node);
            zooKeeper.devices(cluster, node, "A100", 2 * pairs);
            List<ApplicationAttemptId> applications = List.of(
                    cluster.startApp("plain", Map.of(), List.of(), node).getApplicationAttemptId(),
                    cluster.startApp("plain", Map.of(), List.of(), node).getApplicationAttemptId());
            CyclicBarrier together = new CyclicBarrier(2);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<Future<Integer>> granted = new ArrayList<>();
                for (ApplicationAttemptId id : applications) {
                    Callable<Integer> allocations = () -> {
                        int count = 0;
                        for (int i = 0; i < pairs; i++) {
                            together.await();
                            boolean success = cluster.scheduler()
                                    .attemptAllocationOnNode(
                                            cluster.scheduler().getApplicationAttempt(id),
                                            SchedulerHarness.request(
                                                    i,
                                                    Set.of("mine"),
                                                    ResourceVector.of(1, 1, 64).withStorageMBps(1)),
                                            cluster.scheduler().getNode(node.getNodeId()));
                            count += success ? 1 : 0;
                        }
                        return count;
                    };
                    granted.add(threads.submit(allocations));
                }
                for (Future<Integer> each : granted) {
                    assertEquals(pairs, each.get());
                }
            } finally {
                threads.shutdownNow();
            }
            List<String> tags = new ArrayList<>();
            for (ApplicationAttemptId id : applications) {
                cluster.scheduler().getApplicationAttempt(id).getLiveContainers().stream()
                        .map(ChosenDevicesTest::devices)
                        .forEach(tags::addAll);
            }
            assertEquals(2 * pairs, tags.size());
            assertEquals(2 * pairs, new HashSet<>(tags).size(), "each GPU once");
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, {1}")
    @CsvSource({"false, scheduler", "true, scheduler", "false, placement-processor", "true, placement-processor"})
    void containerOfASchedulingRequestNamesItsDeviceBesideItsOwnTags(boolean asynchronous, String handler)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, handler))) {
            MockNM node = cluster.node(1001, 4, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 4);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.ask(plain, SchedulerHarness.request(7, Set.of("mine"), ResourceVector.of(1, 1, 256)));
            Container container = cluster.awaitContainers(plain).get(0);
            RMContainer granted = cluster.scheduler().getRMContainer(container.getId());
            Set<String> tags = new TreeSet<>(granted.getAllocationTags());
            assertEquals(2, tags.size(), tags::toString);
            assertTrue(tags.contains("mine"), tags::toString);
            assertEquals(1, devices(granted).size(), tags::toString);
            assertEquals(tags, new TreeSet<>(TokenTags.of(container)), "the node reads them in the token");
            assertEquals(Set.of("mine"), container.getAllocationTags(), "what its application calls it");

            // The book of the node has no hole: the next gang gets devices one by one, and others.
            MockAM gang = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 256), node);
            Set<String> all = new HashSet<>(devices(granted));
            for (Container member : cluster.awaitContainers(gang)) {
                all.addAll(devices(cluster.scheduler().getRMContainer(member.getId())));
            }
            assertEquals(3, all.size(), all::toString);
            // A second one of the same request has another device.
            cluster.ask(plain, SchedulerHarness.request(8, Set.of("mine"), ResourceVector.of(1, 1, 256)));
            all.addAll(devices(cluster.scheduler()
                    .getRMContainer(cluster.awaitContainers(plain).get(0).getId())));
            assertEquals(4, all.size(), all::toString);
        }
    }

    /** Hadoop's client asks for what it takes for unanswered once more when the ResourceManager changes. */
    @ParameterizedTest(name = "asynchronous scheduling {0}, by {1}")
    @CsvSource({"false, scheduler", "true, scheduler", "false, placement-processor", "true, placement-processor"})
    void hadoopsClientKnowsWhatItWasGiven(boolean asynchronous, String handler) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, handler))) {
            MockNM node = cluster.node(1001, 4, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 4);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            Map<Set<String>, List<SchedulingRequest>> outstanding = new HashMap<>();
            for (Set<String> tags : List.of(Set.of("mine", "too"), Set.of("mine"))) {
                Supplier<SchedulingRequest> request =
                        () -> SchedulerHarness.request(7 + tags.size(), tags, ResourceVector.of(1, 1, 256));
                AMRMClientUtils.addToOutstandingSchedulingRequests(List.of(request.get()), outstanding);
                cluster.ask(plain, request.get());
                AMRMClientUtils.removeFromOutstandingSchedulingRequests(cluster.awaitContainers(plain), outstanding);
            }
            assertEquals(
                    List.of(),
                    outstanding.values().stream().flatMap(List::stream).toList());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, by scheduling request {1}")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void sliceOfAPlainApplicationIsOnADeviceWithRoom(boolean asynchronous, boolean bySchedulingRequest)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, "scheduler"))) {
            MockNM node = cluster.resourceManager.registerNode(
                    "127.0.0.1:1001", YarnResources.resource(new ResourceVector(2, 16, 8192, 81920, 0, 0)));
            cluster.watch(node);
            zooKeeper.devices(cluster, node, "A100", 2);
            // 75 of 80 GiB: three would fit by the sum, and only two on devices of 40 GiB.
            ResourceVector slice = new ResourceVector(0, 1, 256, 25600, 0, 0);
            MockAM plain =
                    cluster.startApp("plain", Map.of(), bySchedulingRequest ? List.of() : List.of(any(slice, 3)), node);
            if (bySchedulingRequest) {
                SchedulingRequest three = SchedulerHarness.request(7, Set.of("mine"), slice);
                three.getResourceSizing().setNumAllocations(3);
                cluster.ask(plain, three);
            }
            List<Container> got = new ArrayList<>();
            cluster.awaitTrue("two are granted", () -> {
                got.addAll(cluster.answer(plain).getAllocatedContainers());
                return got.size() == 2;
            });
            MockAM behind = cluster.startApp("plain", Map.of(), List.of(any(ResourceVector.of(0, 1, 256), 1)), node);
            assertEquals(1, cluster.awaitContainers(behind).size());
            got.addAll(cluster.answer(plain).getAllocatedContainers());
            Set<String> tags = new TreeSet<>();
            got.forEach(c -> tags.addAll(devices(cluster.scheduler().getRMContainer(c.getId()))));
            assertEquals(Set.of("treadle.dev.A100-0.25600", "treadle.dev.A100-1.25600"), tags);
        }
    }

    /** As an ApplicationMaster or a NodeManager that starts again finds it. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void recoveredContainerHoldsTheDeviceThatItsNodeReports(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous, "scheduler");
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            NMContainerStatus report = NMContainerStatus.newInstance(
                    ContainerId.newContainerId(plain.getApplicationAttemptId(), 77),
                    0,
                    ContainerState.RUNNING,
                    YarnResources.resource(ResourceVector.of(1, 1, 256)),
                    "",
                    0,
                    Priority.newInstance(3),
                    1);
            report.setAllocationTags(Set.of("mine", "treadle.dev.A100-0.all"));
            cluster.scheduler()
                    .recoverContainersOnNode(
                            List.of(report),
                            java.util.Objects.requireNonNull(cluster.resourceManager
                                    .getRMContext()
                                    .getRMNodes()
                                    .get(node.getNodeId())));
            assertEquals(1, cluster.used().gpus());
            MockAM gang = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 256), node);
            assertEquals(
                    Set.of("treadle.dev.A100-1.all"),
                    devices(cluster.scheduler()
                            .getRMContainer(cluster.awaitContainers(gang).get(0).getId())));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void runningContainerKeepsItsGpus(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, "scheduler"))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(any(ResourceVector.of(1, 1, 256), 1)), node);
            Container container = cluster.awaitContainers(plain).get(0);
            cluster.launch(List.of(container));
            YarnException refused = assertThrows(
                    YarnException.class,
                    () -> plain.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                            container.getVersion(),
                            container.getId(),
                            ContainerUpdateType.INCREASE_RESOURCE,
                            YarnResources.resource(ResourceVector.of(2, 2, 512)),
                            null))));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("has 1 GPUs and 0 MiB of GPU memory, the update asks"),
                    () -> String.valueOf(refused.getMessage()));
            YarnException demoted = assertThrows(
                    YarnException.class,
                    () -> plain.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                            container.getVersion(),
                            container.getId(),
                            ContainerUpdateType.DEMOTE_EXECUTION_TYPE,
                            null,
                            ExecutionType.OPPORTUNISTIC))));
            assertTrue(
                    String.valueOf(demoted.getMessage()).contains("holds GPUs and cannot become OPPORTUNISTIC"),
                    () -> String.valueOf(demoted.getMessage()));
            // What leaves the GPUs alone is not refused.
            plain.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                    container.getVersion(),
                    container.getId(),
                    ContainerUpdateType.INCREASE_RESOURCE,
                    YarnResources.resource(ResourceVector.of(1, 2, 512)),
                    null)));
            assertEquals(
                    1,
                    devices(cluster.scheduler().getRMContainer(container.getId()))
                            .size());
        }
    }

    /** It knows of no GPUs, and names none: it would lose its whole heartbeat by a refusal. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void containerThatGivesBackMemoryAloneKeepsItsGpu(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, "scheduler"))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(any(ResourceVector.of(1, 2, 512), 1)), node);
            Container container = cluster.awaitContainers(plain).get(0);
            cluster.launch(List.of(container));
            plain.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                    container.getVersion(),
                    container.getId(),
                    ContainerUpdateType.DECREASE_RESOURCE,
                    Resource.newInstance(256, 2),
                    null)));
            cluster.awaitTrue("the master has 128 MiB and the container 256", () -> {
                cluster.pull(plain);
                return cluster.used().equals(ResourceVector.of(1, 3, 384));
            });
            assertEquals(
                    ResourceVector.of(1, 2, 256),
                    YarnResources.vector(cluster.scheduler()
                            .getRMContainer(container.getId())
                            .getAllocatedResource()));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void opportunisticContainerGetsNoGpu(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous, "scheduler");
        conf.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            YarnException refused =
                    assertThrows(YarnException.class, () -> plain.allocate(List.of(opportunistic(1)), List.of()));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("is for opportunistic containers with GPUs"),
                    () -> String.valueOf(refused.getMessage()));
            // What holds no GPU is YARN's own matter.
            plain.allocate(List.of(opportunistic(0)), List.of());
        }
    }

    private static ResourceRequest opportunistic(long gpus) {
        ResourceRequest ask = any(ResourceVector.of(gpus, 1, 256), 1);
        ask.setExecutionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true));
        return ask;
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

    private static Set<String> devices(RMContainer container) {
        Set<String> devices = new TreeSet<>();
        if (container.getAllocationTags() != null) {
            container.getAllocationTags().stream()
                    .filter(tag -> tag.startsWith("treadle.dev."))
                    .forEach(devices::add);
        }
        return devices;
    }
}
