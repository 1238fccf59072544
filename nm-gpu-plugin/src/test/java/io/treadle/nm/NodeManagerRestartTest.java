// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.ResourcesFile.DeviceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMLeveldbStateStoreService;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerState;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over the NodeManager's real state store, closed and opened again as by a restart while the workers run on. */
class NodeManagerRestartTest {
    private static final Map<String, Long> ONE_GPU = Map.of("yarn.io/gpu", 1L);

    private final Path directory;

    NodeManagerRestartTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void devicesComeBackBeforeAnyNewContainerGetsOne() throws IOException {
        String held;
        Path stale;
        NMLeveldbStateStoreService store = store();
        try (NodeFixture node = open(store)) {
            ContainerImpl first = node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, ONE_GPU)));
            ContainerImpl second = node.start(NodeFixture.token(2, 0, NodeFixture.resource(1, ONE_GPU)));
            node.launched(first);
            node.launched(second);
            node.exit(first, 0);
            node.cleanedUp(first);
            store.removeContainer(first.getContainerId());
            held = NodeFixture.environment(second).getOrDefault("CUDA_VISIBLE_DEVICES", "");
            node.resize(second, NodeFixture.token(2, 1, NodeFixture.resource(3, ONE_GPU)));
            eventually("the resize", () -> node.resources(second).vcores() == 3);
            stale = Files.createDirectories(directory.resolve("control/container_1_0001_01_000099"));
        }
        store.close();

        NMLeveldbStateStoreService again = store();
        try (NodeFixture node = open(again)) {
            ContainerImpl recovered = recoverOnly(node, again);
            // The first new container comes even before the recovered one is initialised.
            ContainerImpl fresh = node.start(NodeFixture.token(3, 0, NodeFixture.resource(1, ONE_GPU)));
            assertFalse(held.equals(NodeFixture.environment(fresh).get("CUDA_VISIBLE_DEVICES")), held);
            node.init(recovered);
            eventually("ready", () -> node.resources(recovered).devices().get(0).state() == DeviceState.READY);
            assertEquals(held, node.resources(recovered).devices().get(0).uuid());
            assertEquals(3, node.resources(recovered).vcores());
            assertEquals(1, node.resources(recovered).version());
            node.listening(4003);
            eventually("removal of " + stale, () -> !Files.exists(stale));
            node.launched(recovered);
            node.resize(recovered, NodeFixture.token(2, 2, NodeFixture.resource(5, ONE_GPU)));
            eventually("the resize", () -> node.resources(recovered).vcores() == 5);
        }
        again.close();
    }

    @Test
    void slicesComeBackWithTheirSize() throws IOException {
        Map<String, Long> slice = Map.of("treadle.io/gpu-memory", 9_000L);
        NMLeveldbStateStoreService store = store();
        try (NodeFixture node = open(store)) {
            node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, slice)));
        }
        store.close();
        NMLeveldbStateStoreService again = store();
        try (NodeFixture node = open(again)) {
            ContainerImpl recovered = node.init(recoverOnly(node, again));
            eventually(
                    "the file", () -> node.resources(recovered).devices().get(0).memoryMiB() == 9_000);
            assertEquals(
                    DeviceTag.slice(node.resources(recovered).devices().get(0).uuid(), 9_000)
                            .format(),
                    recovered
                            .getResourceMappings()
                            .getAssignedResources(GrantStore.KEY)
                            .get(0));
        }
        again.close();
    }

    private static ContainerImpl recoverOnly(NodeFixture node, NMLeveldbStateStoreService store) throws IOException {
        try (var states = store.getContainerStateIterator()) {
            RecoveredContainerState state = states.next();
            assertFalse(states.hasNext());
            ContainerTokenIdentifier token = BuilderUtils.newContainerTokenIdentifier(
                    state.getStartRequest().getContainerToken());
            return node.recover(token, state);
        }
    }

    private NodeFixture open(NMLeveldbStateStoreService store) {
        Configuration conf = NodeFixture.simulated(directory, "2xA100-SXM4-40GB:40960:400");
        return new NodeFixture(conf, store, directory.resolve("control"));
    }

    private NMLeveldbStateStoreService store() {
        Configuration conf = new Configuration(false);
        conf.set("yarn.nodemanager.recovery.dir", directory.resolve("recovery").toString());
        NMLeveldbStateStoreService store = new NMLeveldbStateStoreService();
        store.init(conf);
        store.start();
        return store;
    }
}
