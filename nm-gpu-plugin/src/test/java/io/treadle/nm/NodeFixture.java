// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.protocolrecords.StartContainerRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerExitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerInitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerKillEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.UpdateContainerTokenEvent;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.mockito.Mockito;

/**
 * A NodeManager's context, its state store and its containers, all real; only the dispatcher swallows what the containers
 * tell other parts of the NodeManager, and nothing is launched.
 */
public final class NodeFixture implements AutoCloseable {
    private static final ApplicationAttemptId ATTEMPT =
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
    private static final NodeManagerMetrics METRICS = NodeManagerMetrics.create();

    final Configuration conf;
    final NodeManager.NMContext context;
    final TreadleNodeListener listener = new TreadleNodeListener();

    private final NMStateStoreService store;
    private final Path control;

    NodeFixture(Configuration conf, NMStateStoreService store, Path control) {
        this.conf = conf;
        this.store = store;
        this.control = control;
        this.context = new NodeManager.NMContext(null, null, null, null, store, false, conf);
        context.setContainerExecutor(new DefaultContainerExecutor());
        context.setNodeStatusUpdater(Mockito.mock(NodeStatusUpdater.class));
        context.setContainerStateTransitionListener(listener);
        listener.init(context);
    }

    /** The four types, declared in a new configuration and in Hadoop's own cache of types. */
    public static Configuration declareTypes() {
        Configuration conf = TestConf.hadoop();
        conf.set(
                "yarn.resource-types",
                "yarn.io/gpu,treadle.io/gpu-memory,treadle.io/power,treadle.io/storage-bandwidth");
        conf.set("yarn.resource-types.treadle.io/gpu-memory.units", "Mi");
        var unused = ResourceUtils.resetResourceTypes(conf);
        return conf;
    }

    /** The NodeManager listens from now on: its id is known, telemetry begins. */
    NodeFixture listening(int port) {
        context.setNodeId(NodeId.newInstance("localhost", port));
        return this;
    }

    static Resource resource(int vcores, Map<String, Long> types) {
        Resource resource = Resource.newInstance(2048, vcores);
        types.forEach(resource::setResourceValue);
        return resource;
    }

    static ContainerTokenIdentifier token(int number, int version, Resource resource, DeviceTag... tags) {
        Set<String> allocationTags = new java.util.HashSet<>(Set.of("users-own"));
        for (DeviceTag tag : tags) {
            allocationTags.add(tag.format());
        }
        return tokenWithTags(number, version, resource, allocationTags);
    }

    /** @param allocationTags any text, as a scheduler that is not ours could send it */
    static ContainerTokenIdentifier tokenWithTags(
            int number, int version, Resource resource, Set<String> allocationTags) {
        return new ContainerTokenIdentifier(
                ContainerId.newContainerId(ATTEMPT, number),
                version,
                "localhost:1",
                "user",
                resource,
                Long.MAX_VALUE,
                1,
                1,
                Priority.newInstance(0),
                1,
                null,
                "",
                ContainerType.TASK,
                ExecutionType.GUARANTEED,
                0,
                allocationTags);
    }

    /** A container that the NodeManager has just been asked to start. */
    ContainerImpl start(ContainerTokenIdentifier token) throws IOException {
        ContainerLaunchContext launch = launchContext();
        store.storeContainer(
                token.getContainerID(),
                token.getVersion(),
                1,
                StartContainerRequest.newInstance(
                        launch,
                        BuilderUtils.newContainerToken(NodeId.newInstance("localhost", 1), new byte[1], token)));
        return init(new ContainerImpl(conf, new Deaf(), launch, new Credentials(), METRICS, token, context));
    }

    /** A container that has not been initialised yet. */
    ContainerImpl create(ContainerTokenIdentifier token) {
        return new ContainerImpl(conf, new Deaf(), launchContext(), new Credentials(), METRICS, token, context);
    }

    /** A container of before the NodeManager's restart. */
    ContainerImpl recover(ContainerTokenIdentifier token, NMStateStoreService.RecoveredContainerState state) {
        ContainerImpl container =
                new ContainerImpl(conf, new Deaf(), launchContext(), new Credentials(), METRICS, token, context, state);
        context.getContainers().put(container.getContainerId(), container);
        return container;
    }

    ContainerImpl init(ContainerImpl container) {
        context.getContainers().put(container.getContainerId(), container);
        container.handle(new ContainerInitEvent(container.getContainerId()));
        return container;
    }

    void launched(ContainerImpl container) throws IOException {
        store.storeContainerLaunched(container.getContainerId());
        container.handle(new ContainerEvent(container.getContainerId(), ContainerEventType.CONTAINER_LAUNCHED));
    }

    void resize(ContainerImpl container, ContainerTokenIdentifier token) {
        container.handle(new UpdateContainerTokenEvent(container.getContainerId(), token, true, true, false));
    }

    void exit(ContainerImpl container, int status) {
        container.handle(new ContainerExitEvent(
                container.getContainerId(),
                status == 0
                        ? ContainerEventType.CONTAINER_EXITED_WITH_SUCCESS
                        : ContainerEventType.CONTAINER_EXITED_WITH_FAILURE,
                status,
                ""));
    }

    void kill(ContainerImpl container) {
        container.handle(new ContainerKillEvent(container.getContainerId(), -1, "killed by the test"));
    }

    void killed(ContainerImpl container) {
        container.handle(new ContainerExitEvent(
                container.getContainerId(), ContainerEventType.CONTAINER_KILLED_ON_REQUEST, 137, ""));
    }

    void cleanedUp(ContainerImpl container) {
        container.handle(
                new ContainerEvent(container.getContainerId(), ContainerEventType.CONTAINER_RESOURCES_CLEANEDUP));
    }

    static Map<String, String> environment(Container container) {
        return container.getLaunchContext().getEnvironment();
    }

    Path file(Container container) {
        return control.resolve(container.getContainerId().toString()).resolve(ResourcesFile.NAME);
    }

    ResourcesFile resources(Container container) throws IOException {
        return ResourcesFile.fromJson(Files.readString(file(container)));
    }

    @Override
    public void close() {
        NodePlugin plugin = listener.plugin();
        if (plugin != null) {
            plugin.stop();
            // Else its last files would appear in a directory that the test is just removing.
            Eventually.eventually("the end of the plugin's threads", plugin::hasEnded);
        }
    }

    static Configuration simulated(Path directory, String devices) {
        Configuration conf = declareTypes();
        conf.set(NodeConf.DEVICE_PROVIDER, "simulated");
        conf.set(NodeConf.SIMULATED_DEVICES, devices);
        conf.set(NodeConf.CONTROL_DIR, directory.resolve("control").toString());
        conf.set(NodeConf.TELEMETRY_INTERVAL_MS, "100");
        return conf;
    }

    private static ContainerLaunchContext launchContext() {
        return ContainerLaunchContext.newInstance(
                new HashMap<>(),
                new HashMap<>(Map.of("USERS_OWN", "1")),
                new java.util.ArrayList<>(),
                null,
                null,
                null);
    }

    private static final class Deaf implements Dispatcher {
        @Override
        @SuppressWarnings("rawtypes") // As Hadoop declares it.
        public EventHandler<Event> getEventHandler() {
            return event -> {};
        }

        @Override
        @SuppressWarnings("rawtypes") // As Hadoop declares it.
        public void register(Class<? extends Enum> eventType, EventHandler handler) {}
    }
}
