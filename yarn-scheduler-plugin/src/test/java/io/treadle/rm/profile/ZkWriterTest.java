// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.conf.SchedulerConf;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
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
