// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.Hashing;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.ResourcesFile.DeviceState;
import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerReInitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ResourceSet;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

/** The listener on Hadoop's own container state machine. */
class TreadleNodeListenerTest {
    private static final Map<String, Long> ONE_GPU = Map.of("yarn.io/gpu", 1L);

    private final Path directory;
    private final NodeFixture node;

    TreadleNodeListenerTest(@TempDir Path directory) {
        this.directory = directory;
        this.node = open(NodeFixture.simulated(directory, "2xA100-SXM4-40GB:40960:400"));
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void advertisesWhatTheDevicesAdd() {
        assertEquals("2", node.conf.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
        assertEquals("81920Mi", node.conf.get("yarn.nodemanager.resource-type.treadle.io/gpu-memory"));
        assertEquals("800", node.conf.get("yarn.nodemanager.resource-type.treadle.io/power"));
    }

    @Test
    void containerGetsDevicesEnvironmentAndFile() throws IOException {
        ContainerImpl container =
                start(1, Map.of("yarn.io/gpu", 1L, "treadle.io/power", 250L, "treadle.io/storage-bandwidth", 200L));
        String uuid = environment(container, "CUDA_VISIBLE_DEVICES");
        assertTrue(uuid.matches("GPU-sim-[0-9a-f]{8}-0"), uuid);
        assertEquals("1", environment(container, "USERS_OWN"));
        eventually("the file", () -> Files.exists(node.file(container)));
        assertEquals(
                new ResourcesFile(
                        0,
                        4,
                        null,
                        2048,
                        0,
                        250,
                        200,
                        List.of(new ResourcesFile.Device(uuid, 40960, DeviceState.READY))),
                node.resources(container));
        assertEquals(node.file(container).getParent(), Path.of(environment(container, "TREADLE_CONTROL_DIR")));
    }

    @Test
    void schedulersChoiceInTheTokenIsTaken() throws IOException {
        String second = uuid(1);
        ContainerImpl container =
                node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, ONE_GPU), DeviceTag.whole(second)));
        assertEquals(second, environment(container, "CUDA_VISIBLE_DEVICES"));
    }

    @Test
    void sliceLandsOnOneDevice() throws IOException {
        ContainerImpl container = start(1, Map.of("treadle.io/gpu-memory", 10_000L));
        eventually("the file", () -> node.resources(container).gpuMemoryMiB() == 10_000);
        assertEquals(
                List.of(new ResourcesFile.Device(uuid(0), 10_000, DeviceState.READY)),
                node.resources(container).devices());
    }

    @Test
    void containerWithoutGpusSeesNone() throws IOException {
        assertEquals("", environment(start(1, Map.of()), "CUDA_VISIBLE_DEVICES"));
    }

    @Test
    void resizeReachesTheFileWithTheTokensVersion() throws IOException {
        ContainerImpl container = start(1, ONE_GPU);
        node.launched(container);
        node.resize(container, NodeFixture.token(1, 1, NodeFixture.resource(7, ONE_GPU)));
        eventually("the new size", () -> node.resources(container).vcores() == 7);
        assertEquals(1, node.resources(container).version());
        assertEquals(1, node.resources(container).devices().size());
    }

    @Test
    void devicePendingUntilTheKilledContainerIsDone() throws IOException {
        ContainerImpl first = start(1, Map.of("yarn.io/gpu", 2L));
        node.launched(first);
        node.kill(first);
        ContainerImpl second = start(2, ONE_GPU);
        eventually("pending", () -> state(second) == DeviceState.PENDING);
        node.killed(first);
        assertEquals(DeviceState.PENDING, state(second));
        node.cleanedUp(first);
        assertEquals(ContainerState.DONE, first.getContainerState());
        eventually("ready", () -> state(second) == DeviceState.READY);
        eventually(
                "removal of the first's directory",
                () -> !Files.exists(node.file(first).getParent()));
    }

    @Test
    void everyWayToEndGivesTheDevicesBack() throws IOException {
        ContainerImpl succeeds = start(1, Map.of("yarn.io/gpu", 2L));
        node.launched(succeeds);
        node.exit(succeeds, 0);
        node.cleanedUp(succeeds);
        ContainerImpl fails = takesBoth(2);
        node.launched(fails);
        node.exit(fails, 1);
        node.cleanedUp(fails);
        ContainerImpl failsAtLaunch = takesBoth(3);
        node.exit(failsAtLaunch, 1);
        node.cleanedUp(failsAtLaunch);
        ContainerImpl killedBeforeLaunch = takesBoth(4);
        node.kill(killedBeforeLaunch);
        node.cleanedUp(killedBeforeLaunch);
        ContainerImpl killedFromOutside = takesBoth(5);
        node.launched(killedFromOutside);
        node.killed(killedFromOutside);
        node.cleanedUp(killedFromOutside);
        takesBoth(6);
    }

    @Test
    void containerKilledBeforeItBeganLeavesNothing() throws IOException {
        ContainerImpl container = node.create(NodeFixture.token(9, 0, NodeFixture.resource(1, ONE_GPU)));
        node.kill(container);
        assertEquals(ContainerState.DONE, container.getContainerState());
        takesBoth(1);
    }

    @Test
    void reinitializedContainerIsLaunchedWithTheSameDevices() throws IOException {
        ContainerImpl container = start(1, ONE_GPU);
        node.launched(container);
        String uuid = environment(container, "CUDA_VISIBLE_DEVICES");
        ContainerLaunchContext upgraded = ContainerLaunchContext.newInstance(
                new HashMap<>(), new HashMap<>(), List.of("new command"), null, null, null);
        container.handle(new ContainerReInitEvent(container.getContainerId(), upgraded, new ResourceSet(), true));
        node.killed(container);
        assertEquals(ContainerState.SCHEDULED, container.getContainerState());
        assertEquals(List.of("new command"), container.getLaunchContext().getCommands());
        assertEquals(uuid, environment(container, "CUDA_VISIBLE_DEVICES"));
    }

    @Test
    void removedFileIsWrittenAgain() throws IOException {
        node.listening(4001);
        ContainerImpl container = start(1, ONE_GPU);
        eventually("the file", () -> Files.exists(node.file(container)));
        Files.delete(node.file(container));
        eventually("the file again", () -> Files.exists(node.file(container)));
    }

    @Test
    void containerThatVanishesWithoutAnEndIsForgotten() throws IOException {
        node.listening(4002);
        ContainerImpl container = start(1, Map.of("yarn.io/gpu", 2L));
        eventually("the file", () -> Files.exists(node.file(container)));
        node.context.getContainers().remove(container.getContainerId());
        eventually("removal", () -> !Files.exists(node.file(container)));
        takesBoth(2);
    }

    @Test
    void lostDeviceShowsInTheFileAndIsNotHandedOut() throws IOException {
        Path lost = directory.resolve("lost");
        Configuration conf = NodeFixture.simulated(directory.resolve("other"), "2xA100-SXM4-40GB:40960:400");
        conf.set(NodeConf.SIMULATED_LOST_FILE, lost.toString());
        try (NodeFixture other = open(conf, directory.resolve("other"))) {
            ContainerImpl first = other.start(NodeFixture.token(1, 0, NodeFixture.resource(1, ONE_GPU)));
            eventually("ready", () -> state(other, first) == DeviceState.READY);
            Files.writeString(lost, uuid(0));
            eventually("lost", () -> state(other, first) == DeviceState.LOST);
            ContainerImpl second = other.start(NodeFixture.token(2, 0, NodeFixture.resource(1, ONE_GPU)));
            assertEquals(uuid(1), environment(second, "CUDA_VISIBLE_DEVICES"));
            ContainerImpl third =
                    other.start(NodeFixture.token(3, 0, NodeFixture.resource(1, ONE_GPU), DeviceTag.whole(uuid(0))));
            assertEquals("", environment(third, "CUDA_VISIBLE_DEVICES"));
        }
        Configuration again = NodeFixture.simulated(directory.resolve("third"), "2xA100-SXM4-40GB:40960:400");
        again.set(NodeConf.SIMULATED_LOST_FILE, lost.toString());
        open(again, directory.resolve("third")).close();
        assertEquals("1", again.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
    }

    @Test
    void wrongSettingLeavesAPlainNodeThatAdvertisesNothing() throws IOException {
        Configuration conf = NodeFixture.simulated(directory.resolve("other"), "two A100s");
        try (NodeFixture other = open(conf, directory.resolve("other"))) {
            ContainerImpl container = other.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of())));
            assertEquals(Map.of("USERS_OWN", "1"), NodeFixture.environment(container));
            assertNull(conf.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
        }
        Configuration noDigest = NodeFixture.simulated(directory.resolve("other"), "1xT4:15360:70");
        noDigest.set(NodeConf.ZK_ADDRESS, "localhost:1");
        noDigest.set(NodeConf.ZK_DIGEST_FILE, "/nowhere/digest");
        open(noDigest, directory.resolve("other")).close();
        assertNull(noDigest.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
    }

    @Test
    void cpuNodeLeavesCudaToTheUser() throws IOException {
        Configuration conf = NodeFixture.simulated(directory.resolve("other"), "");
        conf.set(NodeConf.DEVICE_PROVIDER, "none");
        try (NodeFixture other = open(conf, directory.resolve("other"))) {
            ContainerImpl container = other.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of())));
            assertFalse(NodeFixture.environment(container).containsKey("CUDA_VISIBLE_DEVICES"));
            assertEquals("0", conf.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
            eventually("the file", () -> Files.exists(other.file(container)));
        }
    }

    @Test
    void stoppedNodeManagerStopsThePlugin() {
        var manager =
                Mockito.mock(ContainerManager.class, Mockito.withSettings().extraInterfaces(Service.class));
        Mockito.when(((Service) manager).isInState(Service.STATE.STOPPED)).thenReturn(true);
        node.context.setContainerManager(manager);
        eventually("the end of our threads", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().matches("treadle-(files|devices)-n1")));
    }

    @Test
    void nothingIsThrownOutOfACallback() {
        ContainerImpl broken = Mockito.mock(ContainerImpl.class);
        ContainerEvent event = new ContainerEvent(null, ContainerEventType.INIT_CONTAINER);
        node.listener.preTransition(broken, ContainerState.NEW, event);
        node.listener.postTransition(broken, ContainerState.RUNNING, ContainerState.DONE, event);
        new TreadleNodeListener().init(Mockito.mock(Context.class));
    }

    private ContainerImpl takesBoth(int number) throws IOException {
        ContainerImpl container = start(number, Map.of("yarn.io/gpu", 2L));
        eventually("both devices", () -> {
            var devices = node.resources(container).devices();
            return devices.size() == 2 && devices.stream().allMatch(d -> d.state() == DeviceState.READY);
        });
        return container;
    }

    private ContainerImpl start(int number, Map<String, Long> types) throws IOException {
        return node.start(NodeFixture.token(number, 0, NodeFixture.resource(4, types)));
    }

    private DeviceState state(ContainerImpl container) throws IOException {
        return state(node, container);
    }

    private static DeviceState state(NodeFixture node, ContainerImpl container) throws IOException {
        return node.resources(container).devices().get(0).state();
    }

    private static String environment(ContainerImpl container, String name) {
        return NodeFixture.environment(container).getOrDefault(name, "not set");
    }

    private String uuid(int index) throws IOException {
        var hash = Hashing.sha256().hashString("n1", StandardCharsets.UTF_8);
        return "GPU-sim-" + hash.toString().substring(0, 8) + "-" + index;
    }

    private NodeFixture open(Configuration conf) {
        return open(conf, directory);
    }

    private static NodeFixture open(Configuration conf, Path directory) {
        return new NodeFixture(conf, new NMNullStateStoreService(), directory.resolve("control"));
    }

    /** YARN mounts nothing that is not there, and the file itself may come later. */
    @Test
    void containerFromAnImageFindsItsControlDirectoryMounted() throws IOException {
        Configuration conf = NodeFixture.simulated(directory.resolve("images"), "1xA100-SXM4-40GB:40960:400");
        conf.set("yarn.nodemanager.container-executor.class", LinuxContainerExecutor.class.getName());
        conf.set(NodeConf.VCORE_CORES, "0.5");
        try (NodeFixture other =
                new NodeFixture(conf, new NMNullStateStoreService(), directory.resolve("images/control"))) {
            ContainerImpl container = other.create(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of())));
            NodeFixture.environment(container)
                    .putAll(Map.of(
                            "YARN_CONTAINER_RUNTIME_TYPE", "docker",
                            "YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", "/data:/data:ro",
                            "TREADLE_WANTS_CONTROL_DIR", "true"));
            other.init(container);
            Path control = Objects.requireNonNull(other.file(container).getParent());
            assertTrue(Files.isDirectory(control));
            assertEquals(
                    "/data:/data:ro," + control + ":" + control + ":ro",
                    NodeFixture.environment(container).get("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS"));
            assertFalse(
                    NodeFixture.environment(container).containsKey("TREADLE_CPU_CGROUP"),
                    "which a container from an image cannot enter");
        }
    }
}
