// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.rm.conf.SchedulerConf;
import java.io.IOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;

/** A ZooKeeper of the test's own, and the ResourceManager's client of it. */
final class ConnectedZooKeeper implements AutoCloseable {
    final ZkAccess access = ZkAccess.from(SchedulerConf.from(new Configuration(false)));
    final TestingServer server = new TestingServer();
    final CuratorFramework client = access.newClient(server.getConnectString());

    ConnectedZooKeeper() throws Exception {
        client.start();
        client.blockUntilConnected();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
