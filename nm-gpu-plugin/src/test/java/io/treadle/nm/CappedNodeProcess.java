// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static io.treadle.nm.Eventually.eventually;

import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.ZkPaths;
import io.treadle.nm.conf.NodeConf;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;

/** A process with the plugin in it, whose GPU GPU-aa is capped at 200 W; it says so and waits to be ended. */
final class CappedNodeProcess {
    private CappedNodeProcess() {}

    /** @param arguments a directory, and the fake NVML library */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Path library = Path.of(arguments[1]);
        try (TestingServer server = new TestingServer();
                CuratorFramework manager =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100))) {
            manager.start();
            Configuration conf = NodePowerTest.nvml(directory, library.toString());
            conf.set(NodeConf.ZK_ADDRESS, server.getConnectString());
            NodeFixture node =
                    new NodeFixture(conf, new NMNullStateStoreService(), directory.resolve("control")).listening(4006);
            node.start(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of("yarn.io/gpu", 1L))));
            manager.create()
                    .creatingParentsIfNeeded()
                    .forPath(
                            ZkPaths.power(NodePowerTest.NODE),
                            new NodeCaps(1, 600_000, Map.of("GPU-aa", 200.0))
                                    .toJson()
                                    .getBytes(StandardCharsets.UTF_8));
            eventually("the cap", () -> Files.readString(Path.of(library + ".limits"))
                    .endsWith("GPU-aa 200000\n"));
            System.out.println("capped");
            while (System.in.read() >= 0) {
                // Until it is ended.
            }
        }
    }
}
