// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ResourcesFile.DeviceState;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.nvml.FakeNvml;
import io.treadle.nm.power.BootId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole plugin over the fake NVML library: what a driver that breaks does to containers. */
class NvmlNodeTest {
    private static final Map<String, Long> ONE_GPU = Map.of("yarn.io/gpu", 1L);

    private final Path directory;
    private final FakeNvml nvml;
    private final Configuration conf;

    NvmlNodeTest(@TempDir Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.nvml = FakeNvml.build(directory);
        this.conf = NodeFixture.simulated(directory, "1xT4:15360:70");
        conf.set(NodeConf.DEVICE_PROVIDER, "nvml");
        conf.set(NodeConf.NVML_LIBRARY, nvml.library());
    }

    @Test
    void gpuIsLostAndComesBackUnderItsContainer() throws IOException {
        say(0);
        try (NodeFixture node = open()) {
            assertEquals("2", conf.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
            ContainerImpl container = node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, ONE_GPU)));
            assertEquals("GPU-aa", NodeFixture.environment(container).get("CUDA_VISIBLE_DEVICES"));
            eventually("ready", () -> state(node, container) == DeviceState.READY);
            say(15);
            eventually("lost", () -> state(node, container) == DeviceState.LOST);
            say(0);
            eventually("ready again", () -> state(node, container) == DeviceState.READY);
        }
    }

    @Test
    void gpuThatIsLostAtStartIsNotInTheCapacity() throws IOException {
        say(15);
        open().close();
        assertEquals("1", conf.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
        assertEquals("40960Mi", conf.get("yarn.nodemanager.resource-type.treadle.io/gpu-memory"));
    }

    @Test
    void brokenDriverLeavesACpuNodeOnWhichContainersRun() throws IOException {
        nvml.say("init 18");
        try (NodeFixture node = open()) {
            assertEquals("0", conf.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
            ContainerImpl container = node.start(NodeFixture.token(1, 0, NodeFixture.resource(3, Map.of())));
            eventually("the file", () -> node.resources(container).vcores() == 3);
            assertNull(NodeFixture.environment(container).get("CUDA_VISIBLE_DEVICES"));
            assertTrue(Files.exists(node.file(container)));
        }
    }

    @Test
    void limitsThatAKilledNodeManagerLeftAreRestoredBeforeAnythingIsAdvertised() throws IOException {
        nvml.say(
                "init 0",
                FakeNvml.gpu("GPU-aa", 61_500, 0),
                FakeNvml.gpu("GPU-bb", 70_000, 0),
                FakeNvml.power("GPU-aa"),
                FakeNvml.power("GPU-bb"));
        nvml.put("GPU-aa", 150_000);
        Path journal = Files.createDirectories(directory.resolve("control")).resolve("power-journal.json");
        Files.writeString(
                journal,
                "{\"schema\":1,\"boot\":\"" + BootId.current()
                        + "\",\"limits\":[{\"uuid\":\"GPU-aa\",\"milliwatts\":350000}]}");
        conf.set(PowerConf.LOCK_DIR, directory.resolve("locks").toString());
        open().close();
        List<Long> limits = nvml.limitsSet("GPU-aa");
        assertEquals(350_000, limits.get(limits.size() - 1), "though there is no ZooKeeper to hear of caps from");
        assertFalse(Files.exists(journal));
        assertEquals(
                "750",
                conf.get("yarn.nodemanager.resource-type.treadle.io/power"),
                "own limits of both, not the cap that was left");
    }

    /** @param code what every call on the first of two GPUs answers */
    private void say(int code) throws IOException {
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, code), FakeNvml.gpu("GPU-bb", 70_000, 0));
    }

    private NodeFixture open() {
        return new NodeFixture(conf, new NMNullStateStoreService(), directory.resolve("control")).listening(4005);
    }

    private static DeviceState state(NodeFixture node, ContainerImpl container) throws IOException {
        return node.resources(container).devices().get(0).state();
    }
}
