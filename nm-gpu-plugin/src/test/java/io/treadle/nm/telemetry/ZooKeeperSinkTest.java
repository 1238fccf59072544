// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.NodeRecord.Health;
import io.treadle.core.wire.ZkPaths;
import io.treadle.nm.TestConf;
import io.treadle.nm.Thrown;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.SettingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperSinkTest {
    private static final NodeRecord FIRST = TestRecords.node(61.5, Health.OK);
    private static final NodeRecord SECOND = TestRecords.node(300, Health.OK, "c1");
    private static final String PATH = ZkPaths.node(FIRST.node());

    private final Path directory;

    ZooKeeperSinkTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void recordIsThereWhileTheNodeManagerIs() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework reader = reader(server.getConnectString())) {
            RecordSink sink = ZooKeeperSink.open(conf(server.getConnectString()));
            assertTrue(sink.put(FIRST));
            eventually("the record", () -> read(reader).equals(FIRST));
            eventually("acceptance of the second", () -> sink.put(SECOND));
            eventually("the second record", () -> read(reader).equals(SECOND));
            assertEquals(ZooDefs.Ids.OPEN_ACL_UNSAFE, reader.getACL().forPath(PATH));
            sink.close();
            eventually("its end", () -> reader.checkExists().forPath(PATH) == null);
        }
    }

    @Test
    void zooKeeperThatComesLaterGetsTheRecord() throws Exception {
        int port = InstanceSpec.getRandomPort();
        RecordSink sink = ZooKeeperSink.open(conf("localhost:" + port));
        assertTrue(sink.put(FIRST));
        assertTrue(!sink.put(SECOND), "nothing can have taken it");
        try (TestingServer server = new TestingServer(port);
                CuratorFramework reader = reader(server.getConnectString())) {
            eventually("the record", () -> read(reader).equals(FIRST));
        }
        sink.close();
    }

    @Test
    void lostSessionMakesTheNodeAgain() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework reader = reader(server.getConnectString())) {
            RecordSink sink = ZooKeeperSink.open(conf(server.getConnectString()));
            assertTrue(sink.put(FIRST));
            eventually("the record", () -> read(reader).equals(FIRST));
            reader.delete().forPath(PATH);
            eventually("the record again", () -> read(reader).equals(FIRST));
            server.restart();
            eventually("acceptance of the second", () -> sink.put(SECOND));
            eventually("the second record", () -> read(reader).equals(SECOND));
            sink.close();
        }
    }

    @Test
    void withADigestNobodyElseReadsOrWrites() throws Exception {
        Path digest = directory.resolve("digest");
        Files.writeString(digest, "s3cret\n");
        Files.setPosixFilePermissions(digest, PosixFilePermissions.fromString("rw-------"));
        try (TestingServer server = new TestingServer();
                CuratorFramework stranger = reader(server.getConnectString());
                CuratorFramework manager = CuratorFrameworkFactory.builder()
                        .connectString(server.getConnectString())
                        .retryPolicy(new RetryOneTime(100))
                        .authorization("digest", "treadle:s3cret".getBytes(StandardCharsets.UTF_8))
                        .build()) {
            manager.start();
            RecordSink sink = ZooKeeperSink.open(TestConf.of(
                    NodeConf.ZK_ADDRESS, server.getConnectString(), NodeConf.ZK_DIGEST_FILE, digest.toString()));
            assertTrue(sink.put(FIRST));
            eventually("the record", () -> read(manager).equals(FIRST));
            assertThrows(KeeperException.NoAuthException.class, () -> read(stranger));
            assertThrows(KeeperException.NoAuthException.class, () -> stranger.create()
                    .forPath(ZkPaths.NODES + "/impostor:1"));
            sink.close();
        }
    }

    @Test
    void withoutAnAddressEverythingIsTaken() {
        RecordSink sink = ZooKeeperSink.open(TestConf.of());
        assertTrue(sink.put(FIRST) && sink.put(SECOND));
        sink.close();
    }

    @Test
    void wrongDigestFileIsNamedAndItsSecretIsNot() throws IOException {
        Path digest = directory.resolve("digest");
        Files.writeString(digest, "not one secret");
        String message = Thrown.message(SettingException.class, () -> ZkDigest.read(digest));
        assertTrue(message.contains(digest.toString()) && message.contains(NodeConf.ZK_DIGEST_FILE), message);
        assertTrue(!message.contains("not one secret"), message);
        assertThrows(SettingException.class, () -> ZkDigest.read(directory.resolve("absent")));
    }

    private static NodeConf conf(String address) {
        return TestConf.of(NodeConf.ZK_ADDRESS, address, NodeConf.ZK_TIMEOUT_MS, "5000");
    }

    private static CuratorFramework reader(String address) {
        CuratorFramework reader = CuratorFrameworkFactory.newClient(address, new RetryOneTime(100));
        reader.start();
        return reader;
    }

    private static NodeRecord read(CuratorFramework reader) throws Exception {
        return NodeRecord.fromJson(PATH, new String(reader.getData().forPath(PATH), StandardCharsets.UTF_8));
    }
}
