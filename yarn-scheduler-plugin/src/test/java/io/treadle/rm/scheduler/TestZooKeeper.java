// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.gang.Gang;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.zookeeper.KeeperException;

/** A ZooKeeper in which a test writes what nodes and ApplicationMasters write. */
final class TestZooKeeper implements AutoCloseable {
    final TestingServer server;
    private final CuratorFramework client;

    TestZooKeeper() {
        try {
            server = new TestingServer();
        } catch (Exception e) { // Curator declares no narrower type.
            throw new IllegalStateException("no ZooKeeper starts", e);
        }
        client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        client.start();
    }

    SchedulerHarness cluster(boolean asynchronous, String policy) {
        return SchedulerHarness.start(settings(asynchronous, policy));
    }

    YarnConfiguration settings(boolean asynchronous, String policy) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, policy);
        conf.set("hadoop.zk.address", server.getConnectString());
        return conf;
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

    /** The job's ApplicationMaster says whether it measures the job; returns when the scheduler knows. */
    void says(SchedulerHarness cluster, MockAM am, ProfileRecord.Phase phase) throws Exception {
        ApplicationId id = am.getApplicationAttemptId().getApplicationId();
        write(
                ZkPaths.profile(id.toString()),
                new ProfileRecord(id.toString(), "", "", 0, phase, 1, List.of(), 1).toJson());
        Gang gang = cluster.scheduler().gangs().find(id).orElseThrow();
        cluster.awaitTrue("the scheduler has heard", () -> cluster.scheduler().report().job(gang).profile().stream()
                .anyMatch(p -> p.phase() == phase));
    }

    @Override
    public void close() throws Exception {
        client.close();
        server.close();
    }
}
