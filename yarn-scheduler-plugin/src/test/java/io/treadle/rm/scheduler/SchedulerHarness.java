// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.AllResourceTypes;
import io.treadle.rm.bridge.YarnResources;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.jspecify.annotations.Nullable;

/** A ResourceManager with TreadleScheduler, NodeManagers and ApplicationMasters that a test drives by hand. */
final class SchedulerHarness implements AutoCloseable {
    static final String QUEUE = "root.ml";
    static final String USE_IP = "hadoop.security.token.service.use_ip";
    private static final String CAPACITY = "yarn.scheduler.capacity.";
    private static final long PATIENCE_MS = Long.getLong("treadle.test.patience-ms", 120_000);

    final MockRM resourceManager;
    private final List<MockNM> nodes = new ArrayList<>();
    private final List<MockNM> silent = new ArrayList<>();
    private final IdentityHashMap<MockAM, Deque<AllocateResponse>> early = new IdentityHashMap<>();

    private SchedulerHarness(MockRM resourceManager) {
        this.resourceManager = resourceManager;
    }

    static YarnConfiguration settings(boolean asynchronous, String policy) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, TreadleScheduler.class.getName());
        conf.set(YarnConfiguration.RESOURCE_TYPES, AllResourceTypes.TYPES);
        conf.set("yarn.resource-types.treadle.io/gpu-memory.units", "Mi");
        conf.setBoolean("yarn.resourcemanager.auto-update.containers", true);
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, true);
        // For so long after its start Hadoop lets applications ask for more than any node has.
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 64);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 64);
        // Hadoop's default is one directory for all ResourceManagers of the machine.
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                Path.of("target", "node-attribute-" + ProcessHandle.current().pid())
                        .toUri()
                        .toString());
        // To look up an address may take seconds.
        conf.setBoolean(USE_IP, false);
        conf.set(CAPACITY + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.setBoolean(CAPACITY + "schedule-asynchronously.enable", asynchronous);
        conf.set(CAPACITY + "maximum-am-resource-percent", "1.0");
        conf.set(CAPACITY + "root.queues", "ml,plain");
        for (String queue : List.of("ml", "plain")) {
            conf.set(CAPACITY + "root." + queue + ".capacity", "50");
            conf.set(CAPACITY + "root." + queue + ".maximum-capacity", "100");
            conf.set(CAPACITY + "root." + queue + ".user-limit-factor", "10");
        }
        conf.set(CAPACITY + "root.ml.treadle.policy", policy);
        conf.set(CAPACITY + "root.ml.ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "20");
        conf.set("yarn.scheduler.treadle.round.max-age-ms", "100");
        conf.set("yarn.scheduler.treadle.node.spare-vcores", "0");
        conf.set("yarn.scheduler.treadle.refuse-too-large.settle-seconds", "0");
        // What a job says of its servers is looked at once in it.
        conf.set("yarn.scheduler.treadle.smd.interval-ms", "100");
        return conf;
    }

    static SchedulerHarness start(Configuration conf) {
        return start(conf, UnaryOperator.identity());
    }

    /** @param around stands between each queue's policy and its rounds */
    static SchedulerHarness start(Configuration conf, UnaryOperator<Policy> around) {
        return start(conf, around, null);
    }

    /** @param store what an earlier ResourceManager has written; null for a new one */
    static SchedulerHarness start(Configuration conf, UnaryOperator<Policy> around, @Nullable RMStateStore store) {
        return start(conf, around, store, Surroundings.REAL);
    }

    static SchedulerHarness start(
            Configuration conf, UnaryOperator<Policy> around, @Nullable RMStateStore store, Surroundings surroundings) {
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        ResourceUtils.resetResourceTypes(conf);
        // Hadoop reads it from files alone.
        SecurityUtil.setTokenServiceUseIp(conf.getBoolean(USE_IP, true));
        MockRM resourceManager = new MockRM(conf, store) {
            @Override
            protected ResourceScheduler createScheduler() {
                TreadleScheduler scheduler = new TreadleScheduler(around, surroundings);
                scheduler.setConf(getConfig());
                return scheduler;
            }
        };
        // MockRM's constructor turns on DEBUG for everything.
        org.apache.log4j.Logger.getRootLogger().setLevel(org.apache.log4j.Level.INFO);
        resourceManager.start();
        return new SchedulerHarness(resourceManager);
    }

    TreadleScheduler scheduler() {
        return (TreadleScheduler) resourceManager.getResourceScheduler();
    }

    /** Its NodeManager says nothing any more. */
    void silence(MockNM node) {
        silent.add(node);
    }

    void endSilence(MockNM node) {
        silent.remove(node);
    }

    MockNM node(int port, long gpus, long vcores, long memoryMiB) throws Exception {
        MockNM node = resourceManager.registerNode(
                "127.0.0.1:" + port, YarnResources.resource(ResourceVector.of(gpus, vcores, memoryMiB)));
        nodes.add(node);
        return node;
    }

    /** Those that have registered and are not lost, the first one first. */
    List<MockNM> nodes() {
        return nodes;
    }

    /** A node that the test has registered itself. */
    void watch(MockNM node) {
        nodes.add(node);
    }

    /** The node is lost: it never speaks again. */
    void lose(MockNM node) throws Exception {
        nodes.remove(node);
        resourceManager.sendNodeLost(node);
        resourceManager.drainEvents();
    }

    static GangSpec gang(int tasks, long gpus, long vcores, long memoryMiB) {
        ResourceVector ask = ResourceVector.of(gpus, vcores, memoryMiB);
        return new GangSpec(List.of(new GangSpec.Group("worker", tasks, tasks, ask, List.of())), "", 0, false, 0, "");
    }

    ApplicationId submit(String queue, Map<String, String> properties) throws Exception {
        return submit(queue, properties, 1);
    }

    /** @param attempts how often its ApplicationMaster may start; its containers outlive it */
    ApplicationId submit(String queue, Map<String, String> properties, int attempts) throws Exception {
        ApplicationId id = resourceManager.getNewAppId().getApplicationId();
        ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(
                id,
                "job",
                queue,
                Priority.newInstance(0),
                ContainerLaunchContext.newInstance(
                        Map.of(), Map.of(), List.of(), Map.of(), (ByteBuffer) null, Map.of()),
                false,
                true,
                attempts,
                Resource.newInstance(128, 1),
                GangSpec.APPLICATION_TYPE,
                true);
        context.setApplicationSchedulingPropertiesMap(properties);
        resourceManager.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(context));
        resourceManager.drainEvents();
        return id;
    }

    RMApp app(ApplicationId id) {
        return java.util.Objects.requireNonNull(
                resourceManager.getRMContext().getRMApps().get(id), "no such application");
    }

    /** Submits a gang, starts its AM on the node and asks for all members. */
    MockAM startGang(GangSpec spec, MockNM amNode) throws Exception {
        return startApp("ml", spec.toProperties(), requests(spec), amNode);
    }

    MockAM startApp(String queue, Map<String, String> properties, List<ResourceRequest> asks, MockNM amNode)
            throws Exception {
        return startApp(submit(queue, properties), asks, amNode);
    }

    MockAM startApp(ApplicationId id, List<ResourceRequest> asks, MockNM amNode) throws Exception {
        resourceManager.waitForState(id, RMAppState.ACCEPTED);
        awaitTrue("the AM's container is allocated", () -> {
            heartbeat();
            return app(id).getCurrentAppAttempt().getMasterContainer() != null;
        });
        MockAM am =
                resourceManager.sendAMLaunched(app(id).getCurrentAppAttempt().getAppAttemptId());
        am.registerAppAttempt();
        resourceManager.waitForState(id, RMAppState.RUNNING);
        amNode.nodeHeartbeat(true);
        ask(am, asks);
        return am;
    }

    /** What a plain application asks for, wherever it is. */
    static List<ResourceRequest> asks(ResourceVector size, int containers) {
        return List.of(ResourceRequest.newBuilder()
                .priority(Priority.newInstance(5))
                .resourceName(ResourceRequest.ANY)
                .capability(YarnResources.resource(size))
                .numContainers(containers)
                .build());
    }

    /** What an application asks for by a scheduling request: one container with these tags, on a node that has none tagged 'other'. */
    static SchedulingRequest request(long id, Set<String> tags, ResourceVector size) {
        return SchedulingRequest.newInstance(
                id,
                Priority.newInstance(3),
                ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED, true),
                tags,
                ResourceSizing.newInstance(1, YarnResources.resource(size)),
                PlacementConstraints.targetNotIn("node", PlacementConstraints.PlacementTargets.allocationTag("other"))
                        .build());
    }

    static List<ResourceRequest> requests(GangSpec spec) {
        List<ResourceRequest> requests = new ArrayList<>();
        for (int i = 0; i < spec.groups().size(); i++) {
            GangSpec.Group group = spec.groups().get(i);
            requests.add(ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(GangSpec.requestIdOf(i)))
                    .allocationRequestId(GangSpec.requestIdOf(i))
                    .resourceName(ResourceRequest.ANY)
                    .capability(YarnResources.resource(group.resources()))
                    .numContainers(group.max())
                    .relaxLocality(true)
                    .build());
        }
        return requests;
    }

    /** Asks for containers of whatever sizes. */
    void ask(MockAM am, List<ResourceRequest> requests) throws Exception {
        keep(am, am.allocate(requests, List.of()));
    }

    void ask(MockAM am, SchedulingRequest request) throws Exception {
        keep(am, am.allocate(List.of(), List.of(request), List.of()));
    }

    /** The answer to an ask may say all already, where CapacityScheduler's threads are faster: it is the next that is given out. */
    private void keep(MockAM am, AllocateResponse answer) {
        if (!answer.getAllocatedContainers().isEmpty()
                || !answer.getRejectedSchedulingRequests().isEmpty()) {
            early.computeIfAbsent(am, key -> new ArrayDeque<>()).add(answer);
        }
    }

    /** Heartbeats of the nodes and one of the AM: the containers that this one answer delivers, or an earlier one that was kept. */
    List<Container> pull(MockAM am) {
        return answer(am).getAllocatedContainers();
    }

    /** Heartbeats of the nodes and one of the AM, and all that it is answered, or was earlier. */
    AllocateResponse answer(MockAM am) {
        heartbeat();
        Deque<AllocateResponse> kept = early.get(am);
        if (kept != null && !kept.isEmpty()) {
            return kept.remove();
        }
        try {
            AllocateResponse answer = am.allocate(List.of(), List.of());
            if (!answer.getAllocatedContainers().isEmpty()) {
                // Hadoop enters a container in the books of its queue after it has given it to its application.
                scheduler().access().locked(() -> true);
            }
            return answer;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first answer to the AM that delivers anything. */
    List<Container> awaitContainers(MockAM am) throws Exception {
        List<Container> containers = new ArrayList<>();
        try {
            awaitTrue("containers arrive", () -> {
                containers.addAll(pull(am));
                return !containers.isEmpty();
            });
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "; "
                            + scheduler()
                                    .gangs()
                                    .find(am.getApplicationAttemptId().getApplicationId())
                                    .map(gang -> gang.state() + ": " + gang.reason())
                                    .orElse("no gang"),
                    e);
        }
        return containers;
    }

    /** The first container that the AM gets, once its node has said that it runs. */
    Container awaitRunning(MockAM am) throws Exception {
        Container container = awaitContainers(am).get(0);
        launch(List.of(container));
        awaitTrue(
                "it runs", () -> scheduler().getRMContainer(container.getId()).getState() == RMContainerState.RUNNING);
        return container;
    }

    /** So many containers, whichever answers deliver them. */
    List<Container> awaitContainers(MockAM am, int count) throws Exception {
        return awaitContainers(am, count, () -> {});
    }

    /** @param meanwhile done before each answer */
    List<Container> awaitContainers(MockAM am, int count, Runnable meanwhile) throws Exception {
        List<Container> containers = new ArrayList<>();
        awaitTrue(count + " containers arrive", () -> {
            meanwhile.run();
            containers.addAll(pull(am));
            return containers.size() == count;
        });
        return containers;
    }

    void launch(List<Container> containers) throws Exception {
        report(containers, ContainerState.RUNNING);
    }

    /** The nodes say that these containers have ended: until then Hadoop keeps their room. */
    void complete(List<Container> containers) throws Exception {
        report(containers, ContainerState.COMPLETE);
    }

    private void report(List<Container> containers, ContainerState state) throws Exception {
        for (Container container : containers) {
            MockNM node = nodes.stream()
                    .filter(n -> n.getNodeId().equals(container.getNodeId()))
                    .findFirst()
                    .orElseThrow();
            node.nodeHeartbeat(
                    container.getId().getApplicationAttemptId(),
                    container.getId().getContainerId(),
                    state);
        }
        resourceManager.drainEvents();
    }

    /** Of all nodes but those that are {@link #silence silent}. */
    void heartbeat() {
        for (MockNM node : nodes) {
            if (silent.contains(node)) {
                continue;
            }
            try {
                node.nodeHeartbeat(true);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        resourceManager.drainEvents();
    }

    /** Waits until the job's reason reads so; a failure says how it reads instead. */
    void awaitReason(ApplicationId id, String reason, Runnable meanwhile) throws InterruptedException {
        String[] last = {""};
        try {
            awaitTrue("reason '" + reason + "'", () -> {
                meanwhile.run();
                last[0] = scheduler().gangs().find(id).orElseThrow().reason();
                return last[0].equals(reason);
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; it reads '" + last[0] + "'", e);
        }
    }

    void awaitTrue(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_MS * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited " + PATIENCE_MS + " ms in vain: " + what);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
    }

    /** Room that is reserved for gangs now. */
    java.util.Collection<io.treadle.rm.bridge.GangReservation> reservations() {
        return scheduler().reservations().all();
    }

    /** What the whole cluster has handed out, and what YARN keeps for asks that have no room yet. */
    ResourceVector used() {
        return YarnResources.vector(
                scheduler().getRootQueue().getQueueResourceUsage().getUsed());
    }

    /** What containers have of it. */
    ResourceVector handedOut() {
        ResourceUsage usage = scheduler().getRootQueue().getQueueResourceUsage();
        return YarnResources.vector(usage.getUsed()).minus(YarnResources.vector(usage.getReserved()));
    }

    @Override
    public void close() {
        resourceManager.stop();
        DefaultMetricsSystem.shutdown();
        SecurityUtil.setTokenServiceUseIp(true);
    }
}
