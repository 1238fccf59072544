// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever one application asks for in whatever way, applications behind it and in other queues start. */
class OthersAreServedTest {
    /** Both ways of scheduling, by both orders that a queue may have. */
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest(name = "asynchronous scheduling {0}, order {1}")
    @CsvSource({
        "false, fifo",
        "true, fifo",
        "false, io.treadle.rm.gang.GangOrderingPolicy",
        "true, io.treadle.rm.gang.GangOrderingPolicy"
    })
    private @interface InEachOrder {}

    private static final String FIFO = "fifo";
    /** With asynchronous scheduling proposals are on their way when the reason for a refusal arises. */
    private static final long MOST_VETOES = 3;
    /** CapacityScheduler's, of proposals. */
    private static final long BACKLOG = 100;

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private YarnConfiguration settings(boolean asynchronous, String order) {
        return settings(asynchronous, order, "scheduler");
    }

    private YarnConfiguration settings(boolean asynchronous, String order, String handler) {
        YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.ordering-policy", order);
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, handler);
        return conf;
    }

    /** Its gang needs the whole node, of which its ApplicationMaster has a part: it waits for ever. */
    private static GangSpec waiting() {
        return SchedulerHarness.gang(2, 0, 8, 512);
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, order {1}, named in the environment {2}, {3}")
    @CsvSource({
        "false, fifo, false, LocalityAppPlacementAllocator",
        "true, fifo, false, LocalityAppPlacementAllocator",
        "false, fifo, true, LocalityAppPlacementAllocator",
        "true, fifo, true, LocalityAppPlacementAllocator",
        "false, io.treadle.rm.gang.GangOrderingPolicy, false, LocalityAppPlacementAllocator",
        "true, io.treadle.rm.gang.GangOrderingPolicy, false, LocalityAppPlacementAllocator",
        "false, fifo, false, AppPlacementAllocator",
        "false, fifo, false, SingleConstraintAppPlacementAllocator",
        "false, fifo, false, NoSuchClass",
    })
    void gangWithAnAllocatorOfItsOwnKeepsNobodyWaiting(
            boolean asynchronous, String order, boolean inEnvironment, String allocator) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, order))) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            String name = AppPlacementAllocator.class.getPackageName() + "." + allocator;
            MockAM gang = cluster.startApp(
                    submit(cluster, waiting().toProperties(), name, inEnvironment, false),
                    SchedulerHarness.requests(waiting()),
                    node);
            othersStart(cluster, node);
            assertEquals(
                    0,
                    gang.allocate(List.of(), List.of()).getAllocatedContainers().size());
            assertTrue(
                    cluster.scheduler().vetoes() <= mostVetoes(cluster),
                    () -> cluster.scheduler().vetoes() + " vetoes");
        }
    }

    /**
     * CapacityScheduler looks at nobody behind an application whose ask is larger than what is left of its queue, and keeps what
     * is left from other queues: that must not come from a gang, to which it grants nothing anyhow.
     */
    @InEachOrder
    void gangWhoseTaskIsLargerThanWhatIsLeftKeepsNobodyWaiting(boolean asynchronous, String order) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, order))) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            // Its ApplicationMaster has one vcore of them.
            MockAM gang = cluster.startGang(SchedulerHarness.gang(1, 0, 16, 512), node);
            othersStart(cluster, node);
            assertEquals(
                    0,
                    gang.allocate(List.of(), List.of()).getAllocatedContainers().size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @CsvSource({"false", "true"})
    void gangWithAnUnmanagedMasterKeepsNobodyWaiting(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, FIFO))) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            // Something that runs takes the last vcore that the gang needs.
            cluster.startApp("plain", Map.of(), List.of(), node);
            ApplicationId id = submit(
                    cluster, waiting().toProperties(), LocalityAppPlacementAllocator.class.getName(), false, true);
            cluster.resourceManager.waitForState(id, RMAppState.ACCEPTED);
            MockAM gang = MockRM.launchUAM(cluster.app(id), cluster.resourceManager, node);
            gang.registerAppAttempt();
            gang.allocate(SchedulerHarness.requests(waiting()), List.of());
            othersStart(cluster, node);
            assertTrue(cluster.scheduler().vetoes() <= mostVetoes(cluster));
        }
    }

    @InEachOrder
    void schedulingRequestOfAGangsMasterIsRefusedAndKeepsNobodyWaiting(boolean asynchronous, String order)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, order))) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            MockAM gang = cluster.startGang(waiting(), node);
            YarnException refused = assertThrows(
                    YarnException.class,
                    () -> gang.allocate(
                            List.of(),
                            List.of(SchedulerHarness.request(7, Set.of("mine"), ResourceVector.of(0, 1, 256))),
                            List.of()));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("has task groups and sent scheduling request 7"),
                    () -> String.valueOf(refused.getMessage()));
            othersStart(cluster, node);
            assertTrue(cluster.scheduler().vetoes() <= mostVetoes(cluster));
        }
    }

    /** Hadoop's placement processor asks for a node on threads of its own, and tells the application at last that it is rejected. */
    @InEachOrder
    void requestThatThePlacementProcessorMayNotPlaceKeepsNobodyWaiting(boolean asynchronous, String order)
            throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, order, "placement-processor"))) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            MockAM gang = cluster.startGang(waiting(), node);
            gang.allocate(
                    List.of(),
                    List.of(SchedulerHarness.request(7, Set.of("mine"), ResourceVector.of(0, 1, 256))),
                    List.of());
            othersStart(cluster, node);
            cluster.awaitTrue("the request of a gang's master is rejected", () -> isRejected(cluster, gang));
            othersStart(cluster, node);
            assertTrue(cluster.scheduler().vetoes() <= mostVetoes(cluster));
        }
    }

    private static boolean isRejected(SchedulerHarness cluster, MockAM am) {
        AllocateResponse answer = cluster.answer(am);
        assertEquals(List.of(), answer.getAllocatedContainers());
        return !answer.getRejectedSchedulingRequests().isEmpty();
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, order {1}, by scheduling request {2}, {3}")
    @CsvSource({
        "false, fifo, true, scheduler",
        "true, fifo, true, scheduler",
        "false, io.treadle.rm.gang.GangOrderingPolicy, true, scheduler",
        "true, io.treadle.rm.gang.GangOrderingPolicy, true, scheduler",
        "false, fifo, true, placement-processor",
        "true, fifo, true, placement-processor",
        "false, fifo, false, scheduler",
        "true, fifo, false, scheduler",
    })
    void askForACardThatIsSlicedKeepsNobodyWaiting(
            boolean asynchronous, String order, boolean bySchedulingRequest, String handler) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, order, handler))) {
            MockNM node = nodeWithOneCard(cluster);
            MockAM slice = cluster.startGang(slice(), node);
            assertEquals(1, cluster.awaitContainers(slice).size());
            ResourceVector card = ResourceVector.of(1, 1, 256);
            MockAM asks = cluster.startApp(
                    submit(
                            cluster,
                            Map.of(),
                            bySchedulingRequest ? "" : LocalityAppPlacementAllocator.class.getName(),
                            false,
                            false),
                    bySchedulingRequest ? List.of() : List.of(any(card, 1)),
                    node);
            if (bySchedulingRequest) {
                cluster.ask(asks, SchedulerHarness.request(7, Set.of("mine"), card));
            }
            othersStart(cluster, node);
            assertEquals(
                    0,
                    asks.allocate(List.of(), List.of()).getAllocatedContainers().size());
            assertTrue(cluster.scheduler().vetoes() <= mostVetoes(cluster));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @CsvSource({"false", "true"})
    void askForStorageBandwidthThatIsGoneKeepsNobodyWaiting(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous, FIFO);
        conf.set("yarn.scheduler.treadle.shared-storage-mbps", "100");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.resourceManager.registerNode(
                    "127.0.0.1:1001",
                    YarnResources.resource(ResourceVector.of(0, 16, 8192).withStorageMBps(400)));
            cluster.watch(node);
            MockAM asks = cluster.startApp(
                    "ml", Map.of(), List.of(any(ResourceVector.of(0, 1, 256).withStorageMBps(200), 1)), node);
            othersStart(cluster, node);
            assertEquals(
                    0,
                    asks.allocate(List.of(), List.of()).getAllocatedContainers().size());
            assertTrue(cluster.scheduler().vetoes() <= mostVetoes(cluster));
        }
    }

    /** As under YARN alone: an ask that no node can ever serve is passed over. */
    @ParameterizedTest(name = "asynchronous scheduling {0}, GPUs {1}")
    @CsvSource({"false, 3", "true, 3", "false, 0", "true, 0"})
    void askThatNoNodeFitsKeepsNobodyWaiting(boolean asynchronous, long gpus) throws Exception {
        YarnConfiguration conf = settings(asynchronous, FIFO);
        conf.set("yarn.resource-types.yarn.io/gpu.maximum-allocation", "8");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            cluster.node(1002, 2, 16, 8192);
            // It has enough of all but memory: YARN refuses asks for more of one kind than any node has.
            cluster.node(1003, 4, 32, 64);
            zooKeeper.devices(cluster, node, "A100", 2);
            ResourceVector size = gpus == 0 ? ResourceVector.of(0, 17, 256) : ResourceVector.of(gpus, 1, 256);
            cluster.startApp("ml", Map.of(), List.of(any(size, 1)), node);
            othersStart(cluster, node);
            assertEquals(0, cluster.scheduler().vetoes());
        }
    }

    /** YARN hands them out beside its scheduler, to nodes that have said how many wait there. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @CsvSource({"false", "true"})
    void opportunisticAsksKeepNobodyWaiting(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous, FIFO);
        conf.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = nodeWithOneCard(cluster);
            MockAM gang = cluster.startGang(waiting(), node);
            MockAM asks = cluster.startApp("ml", Map.of(), List.of(), node);
            asks.allocate(List.of(opportunistic(ResourceVector.of(0, 1, 256))), List.of());
            assertThrows(
                    YarnException.class,
                    () -> asks.allocate(List.of(opportunistic(ResourceVector.of(1, 1, 256))), List.of()));
            othersStart(cluster, node);
            // Nor is the application itself held up.
            cluster.ask(asks, List.of(any(ResourceVector.of(0, 1, 256), 1)));
            assertEquals(1, cluster.awaitContainers(asks).size());
            assertEquals(List.of(), cluster.pull(gang));
            assertEquals(0, cluster.scheduler().vetoes());
        }
    }

    private static ResourceRequest opportunistic(ResourceVector size) {
        ResourceRequest ask = any(size, 1);
        ask.setPriority(Priority.newInstance(6));
        ask.setExecutionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true));
        return ask;
    }

    /**
     * By heartbeats nothing is proposed that would be refused. An application that is refused often enough is left out, and others start
     * all the same: that last defence must not be what a test sees.
     *
     * <p>Asynchronous scheduling proposes the same ask again and again until its first proposal is committed or refused: the others,
     * up to the backlog of its committer, are refused after it. Hadoop's placement processor proposes outside of CapacityScheduler's
     * walk, and tries a request again that finds no room: where it has seen the node before a container started there, it is
     * refused.
     */
    static long mostVetoes(SchedulerHarness cluster) {
        boolean hasProcessor = cluster.resourceManager
                .getConfig()
                .get(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, "")
                .equals("placement-processor");
        return (cluster.scheduler().getConfiguration().getScheduleAynschronously() ? MOST_VETOES + BACKLOG : 0)
                + (hasProcessor ? YarnConfiguration.DEFAULT_RM_PLACEMENT_CONSTRAINTS_RETRY_ATTEMPTS : 0);
    }

    /** One behind it in its queue, and one in the other queue: a master and a container each. */
    static void othersStart(SchedulerHarness cluster, MockNM node) throws Exception {
        for (String queue : List.of("ml", "plain")) {
            MockAM other = cluster.startApp(queue, Map.of(), List.of(any(ResourceVector.of(0, 1, 256), 1)), node);
            assertEquals(1, cluster.awaitContainers(other).size(), queue);
        }
    }

    private MockNM nodeWithOneCard(SchedulerHarness cluster) throws Exception {
        MockNM node = cluster.resourceManager.registerNode(
                "127.0.0.1:1001", YarnResources.resource(new ResourceVector(1, 16, 8192, 40960, 0, 0)));
        cluster.watch(node);
        zooKeeper.devices(cluster, node, "A100", 1);
        return node;
    }

    static GangSpec slice() {
        return new GangSpec(
                List.of(new GangSpec.Group("worker", 1, 1, new ResourceVector(0, 1, 512, 8192, 0, 0), List.of())),
                "",
                0,
                false,
                0,
                "");
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

    private static ApplicationId submit(
            SchedulerHarness cluster,
            Map<String, String> properties,
            String allocator,
            boolean inEnvironment,
            boolean unmanaged)
            throws Exception {
        Map<String, String> named = allocator.isEmpty()
                ? Map.of()
                : Map.of(ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS, allocator);
        Map<String, String> all = new HashMap<>(properties);
        all.putAll(inEnvironment ? Map.of() : named);
        ApplicationId id = cluster.resourceManager.getNewAppId().getApplicationId();
        ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(
                id,
                "job",
                "ml",
                Priority.newInstance(0),
                ContainerLaunchContext.newInstance(
                        Map.of(), inEnvironment ? named : Map.of(), List.of(), Map.of(), (ByteBuffer) null, Map.of()),
                unmanaged,
                true,
                1,
                Resource.newInstance(128, 1),
                "",
                false);
        context.setApplicationSchedulingPropertiesMap(all);
        cluster.resourceManager.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(context));
        cluster.resourceManager.drainEvents();
        return id;
    }
}
