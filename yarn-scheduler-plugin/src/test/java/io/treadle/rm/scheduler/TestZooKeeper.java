// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.zookeeper.KeeperException;

/** A ZooKeeper in which a test writes what nodes and ApplicationMasters write. */
final class TestZooKeeper implements AutoCloseable {
    final TestingServer server;
    private final CuratorFramework client;

    TestZooKeeper() throws Exception {
        server = new TestingServer();
        client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        client.start();
    }

    SchedulerHarness cluster(boolean asynchronous, String policy) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, policy);
        conf.set("hadoop.zk.address", server.getConnectString());
        return SchedulerHarness.start(conf);
    }

    void write(String path, String json) throws Exception {
        client.create().orSetData().creatingParentsIfNeeded().forPath(path, json.getBytes(StandardCharsets.UTF_8));
    }

    Optional<String> read(String path) {
        try {
            return Optional.of(new String(client.getData().forPath(path), StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException | KeeperException.ConnectionLossException e) {
            // The test's own client may still be looking for a server that has just come back.
            return Optional.empty();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void delete(String path) throws Exception {
        client.delete().deletingChildrenIfNeeded().forPath(path);
    }

    /** The node says that it has these devices; returns when the scheduler knows. */
    void devices(SchedulerHarness cluster, MockNM node, String model, int count) throws Exception {
        List<NodeRecord.Device> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(new NodeRecord.Device(
                    model + "-" + i, i, model, 40960, true, NodeRecord.Health.OK, 60, 400, 0, 0, 30, 0, List.of()));
        }
        String id = node.getNodeId().toString();
        write(ZkPaths.node(id), new NodeRecord(id, 1, devices).toJson());
        cluster.awaitTrue("the scheduler knows the devices", () -> cluster.scheduler().report().nodes().stream()
                .anyMatch(n -> n.node().equals(id) && n.devices().size() == count));
    }

    @Override
    public void close() throws Exception {
        client.close();
        server.close();
    }
}
