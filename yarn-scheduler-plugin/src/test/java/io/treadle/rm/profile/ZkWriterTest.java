// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What cannot be written does not keep from ZooKeeper what comes after it. */
class ZkWriterTest {
    private TestingServer server;
    private CuratorFramework client;
    private ZkAccess access;
    private ZkWriter writer;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        access = ZkAccess.from(SchedulerConf.from(new Configuration(false)));
        client = access.newClient(server.getConnectString());
        client.start();
        writer = new ZkWriter(client);
    }

    @AfterEach
    void stop() throws Exception {
        writer.close();
        client.close();
        server.close();
    }

    private void nextIsWritten() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        writer.execute(() -> {
            access.write(client, "/next", "text", access.own());
            written.countDown();
        });
        assertTrue(written.await(120, TimeUnit.SECONDS), "the next record is written");
    }

    /** ZooKeeper closes the connection at a request of more than a mebibyte. */
    @Test
    void recordThatIsTooLargeIsLeftOut() throws Exception {
        writer.execute(() -> access.write(client, "/large", "x".repeat(1_100_000), access.own()));
        nextIsWritten();
        assertNull(client.checkExists().forPath("/large"));
    }

    /** As an answer that is larger than a client takes. */
    @Test
    void recordThatEndsTheConnectionAtEachTryIsLeftOut() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        writer.execute(() -> {
            tries.incrementAndGet();
            throw new KeeperException.ConnectionLossException();
        });
        nextIsWritten();
        assertTrue(tries.get() > 1, "it is tried again at first");
    }

    /** It was made by somebody who lets the ResourceManager see nothing of it. */
    @Test
    void jobThatCannotBeDeletedKeepsNoOtherFromBeingDeleted() throws Exception {
        access.createTree(client);
        client.create().forPath(ZkPaths.job("application_1_0001"), new byte[0]);
        client.create()
                .withACL(List.of(new ACL(ZooDefs.Perms.ALL, new Id("digest", "nobody:secret"))))
                .forPath(ZkPaths.job("application_1_0001") + "/closed");
        client.create().forPath(ZkPaths.job("application_1_0002"), new byte[0]);
        ZkTelemetry.deleteLeft(access, client, writer, job -> true);
        nextIsWritten();
        assertNull(client.checkExists().forPath(ZkPaths.job("application_1_0002")));
    }

    @Test
    void pathThatIsTooLongIsSaidInShort() {
        String path = "/" + "x".repeat(600_000);
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> access.write(client, path, "x".repeat(500_000), access.own()));
        assertEquals(
                "/" + "x".repeat(99) + " would have 1100007 bytes in ZooKeeper, must have at most 1000000",
                e.getMessage());
    }

    @Test
    void errorOfOneRecordIsNotTheEndOfAll() throws Exception {
        writer.execute(() -> {
            throw new OutOfMemoryError("of a test");
        });
        nextIsWritten();
    }
}
