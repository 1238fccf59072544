// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.SharedBy;
import io.treadle.core.wire.ZkPaths;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.nvml.FakeNvml;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole plugin with simulated GPUs and a ZooKeeper: caps that are wanted there come into force, and go. */
class NodePowerTest {
    static final String NODE = "localhost:4006";
    private static final String UUID_PREFIX = "GPU-sim-";

    private final Path directory;

    NodePowerTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void capComesIntoForceLowersTheDrawAndGoesWithItsContainer() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework manager = manager(server);
                NodeFixture node = open(conf(server.getConnectString()))) {
            ContainerImpl container =
                    node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of("yarn.io/gpu", 1L))));
            String uuid = NodeFixture.environment(container).getOrDefault("CUDA_VISIBLE_DEVICES", "");
            assertTrue(uuid.startsWith(UUID_PREFIX), uuid);
            want(manager, new NodeCaps(7, 600_000, Map.of(uuid, 200.0)));
            eventually("the cap", () -> power(manager).equals(cap(200, 200)));
            eventually(
                    "caps of epoch 7",
                    () -> record(manager).power().orElseThrow().capsEpoch() == 7);
            assertTrue(Files.exists(journal()), "what a crash would leave");
            Path energyFile = Path.of(NodeFixture.environment(container).getOrDefault("TREADLE_CONTROL_DIR", ""))
                    .resolve(EnergyFile.NAME);
            eventually("energy under the cap", () -> {
                EnergyFile energy = EnergyFile.fromJson(Files.readString(energyFile));
                return energy.millijoules() > 0
                        && new EnergyFile(energy.atMs(), energy.millijoules(), 1, 200, 100, 400).equals(energy);
            });
            want(manager, new NodeCaps(8, 600_000, Map.of(uuid, 20.0)));
            eventually("the least that the device takes", () -> power(manager).equals(cap(100, 100)));
            node.launched(container);
            node.exit(container, 0);
            node.cleanedUp(container);
            eventually("the own limit", () -> power(manager).equals(cap(0, 400)));
            assertFalse(Files.exists(journal()));
        }
    }

    @Test
    void sharedGpuIsSplitByUtilisationAndSaysSo() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework manager = manager(server);
                NodeFixture node = open(conf(server.getConnectString()))) {
            for (int i = 1; i <= 2; i++) {
                node.start(NodeFixture.token(i, 0, NodeFixture.resource(1, Map.of("treadle.io/gpu-memory", 4_096L))));
            }
            eventually("both are counted", () -> {
                NodePower power = record(manager).power().orElseThrow();
                return power.shared().containsValue(SharedBy.UTILIZATION)
                        && power.containers().values().stream()
                                        .filter(spent -> spent > 0)
                                        .count()
                                == 2;
            });
            NodePower power = record(manager).power().orElseThrow();
            assertEquals(
                    power.gpuMillijoules(),
                    power.idleMillijoules()
                            + power.containers().values().stream()
                                    .mapToLong(spent -> spent)
                                    .sum());
        }
    }

    @Test
    void recordThatGoesAwayOrIsBadIsNoCap() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework manager = manager(server);
                NodeFixture node = open(conf(server.getConnectString()))) {
            ContainerImpl container =
                    node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of("yarn.io/gpu", 1L))));
            String uuid = NodeFixture.environment(container).getOrDefault("CUDA_VISIBLE_DEVICES", "");
            want(manager, new NodeCaps(1, 600_000, Map.of(uuid, 200.0)));
            eventually("the cap", () -> power(manager).equals(cap(200, 200)));
            manager.setData().forPath(ZkPaths.power(NODE), "{\"schema\":1}".getBytes(StandardCharsets.UTF_8));
            want(manager, new NodeCaps(2, 600_000, Map.of(uuid, 150.0)));
            eventually("the next good record", () -> power(manager).equals(cap(150, 150)));
            manager.delete().forPath(ZkPaths.power(NODE));
            eventually("the own limit", () -> power(manager).equals(cap(0, 400)));
        }
    }

    @Test
    void endOfTheNodeManagerRestores() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework manager = manager(server)) {
            try (NodeFixture node = open(conf(server.getConnectString()))) {
                ContainerImpl container =
                        node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of("yarn.io/gpu", 1L))));
                String uuid = NodeFixture.environment(container).getOrDefault("CUDA_VISIBLE_DEVICES", "");
                want(manager, new NodeCaps(1, 600_000, Map.of(uuid, 200.0)));
                eventually("the cap", () -> power(manager).equals(cap(200, 200)));
                assertTrue(Files.exists(journal()));
            }
            assertFalse(Files.exists(journal()));
        }
    }

    @Test
    void silentZooKeeperEndsTheLease() throws Exception {
        TestingServer server = new TestingServer();
        try (NodeFixture node = open(conf(server.getConnectString()))) {
            ContainerImpl container =
                    node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of("yarn.io/gpu", 1L))));
            String uuid = NodeFixture.environment(container).getOrDefault("CUDA_VISIBLE_DEVICES", "");
            try (CuratorFramework manager = manager(server)) {
                want(manager, new NodeCaps(1, 20_000, Map.of(uuid, 200.0)));
                eventually("the cap", () -> power(manager).equals(cap(200, 200)));
            }
            server.close();
            eventually("the end of the lease", () -> !Files.exists(journal()));
        } finally {
            server.close();
        }
    }

    @Test
    void processThatIsToldToEndRestores() throws Exception {
        FakeNvml nvml = oneGpu();
        Process process = capped(nvml);
        process.destroy();
        process.waitFor();
        assertEquals(List.of(400_000L, 200_000L, 400_000L), nvml.limitsSet("GPU-aa"));
        assertFalse(Files.exists(journal()));
    }

    @Test
    void processThatIsKilledIsMadeGoodByTheNext() throws Exception {
        FakeNvml nvml = oneGpu();
        capped(nvml).destroyForcibly().waitFor();
        assertEquals(List.of(400_000L, 200_000L), nvml.limitsSet("GPU-aa"));
        assertTrue(Files.exists(journal()));
        open(nvml(directory, nvml.library())).close();
        // The permission is asked for by the limit that is set already.
        assertEquals(List.of(400_000L, 200_000L, 200_000L, 400_000L), nvml.limitsSet("GPU-aa"));
        assertFalse(Files.exists(journal()));
    }

    private FakeNvml oneGpu() throws Exception {
        FakeNvml nvml = FakeNvml.build(directory);
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0), FakeNvml.power("GPU-aa"));
        return nvml;
    }

    /** A process with the plugin, which has capped its GPU. */
    private Process capped(FakeNvml nvml) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CappedNodeProcess.class.getName(),
                        directory.toString(),
                        nvml.library())
                .redirectErrorStream(true)
                .start();
        StringBuilder said = new StringBuilder();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals("capped")) {
                return process;
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("it has ended:\n" + said);
    }

    @Test
    void withoutZooKeeperNothingIsTouched() throws Exception {
        try (NodeFixture node = open(conf(""))) {
            node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of("yarn.io/gpu", 1L))));
            assertFalse(Files.exists(directory.resolve("locks")), "not even probed");
        }
    }

    static Configuration nvml(Path directory, String library) {
        Configuration conf = NodeFixture.simulated(directory, "1xT4:15360:70");
        conf.set(NodeConf.DEVICE_PROVIDER, "nvml");
        conf.set(NodeConf.NVML_LIBRARY, library);
        conf.set(PowerConf.LOCK_DIR, directory.resolve("locks").toString());
        return conf;
    }

    private Path journal() {
        return directory.resolve("control").resolve("power-journal.json");
    }

    private Configuration conf(String zooKeeper) {
        Configuration conf = NodeFixture.simulated(directory, "1xA100-SXM4-40GB:40960:400");
        conf.set(NodeConf.ZK_ADDRESS, zooKeeper);
        conf.set(NodeConf.PUBLISH_INTERVAL_MS, "100");
        conf.set(PowerConf.LOCK_DIR, directory.resolve("locks").toString());
        conf.set(PowerConf.CHANGE_INTERVAL_MS, "0");
        return conf;
    }

    private NodeFixture open(Configuration conf) {
        return new NodeFixture(conf, new NMNullStateStoreService(), directory.resolve("control")).listening(4006);
    }

    private static CuratorFramework manager(TestingServer server) {
        CuratorFramework manager = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        manager.start();
        return manager;
    }

    private static void want(CuratorFramework manager, NodeCaps caps) throws Exception {
        manager.create()
                .orSetData()
                .creatingParentsIfNeeded()
                .forPath(ZkPaths.power(NODE), caps.toJson().getBytes(StandardCharsets.UTF_8));
    }

    private static NodeRecord record(CuratorFramework manager) throws Exception {
        return NodeRecord.fromJson(
                "record", new String(manager.getData().forPath(ZkPaths.node(NODE)), StandardCharsets.UTF_8));
    }

    /** Caps of the one GPU, without what says why they are as they are. */
    private static DevicePower power(CuratorFramework manager) throws Exception {
        DevicePower power = record(manager).devices().get(0).power().orElseThrow();
        return new DevicePower(
                0, List.of(), power.effectiveCapWatts(), power.wantedCapWatts(), power.actuator(), power.trouble());
    }

    private static DevicePower cap(double wanted, double effective) {
        return new DevicePower(0, List.of(), effective, wanted, "simulated", "");
    }
}
