// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ZooKeeperJobNodeTest {
    private static final String APP = "application_1_0001";

    private final TestingServer server;
    private final CuratorFramework rm;
    private final JobAcl acl;

    ZooKeeperJobNodeTest() throws Exception {
        server = new TestingServer(true);
        rm = client("rm:rm-secret");
        rm.start();
        acl = JobAcl.of(APP, "job-secret", "digest:" + DigestAuthenticationProvider.generateDigest("rm:rm-secret"));
        makeNode();
    }

    private void makeNode() throws Exception {
        rm.create().creatingParentsIfNeeded().withACL(acl.acls()).forPath(ZkPaths.job(APP));
    }

    private CuratorFramework client(String auth) {
        return CuratorFrameworkFactory.builder()
                .connectString(server.getConnectString())
                .sessionTimeoutMs(60_000)
                .connectionTimeoutMs(15_000)
                .retryPolicy(new RetryNTimes(10, 100))
                .authorization("digest", auth.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private ZooKeeperJobNode node() {
        return new ZooKeeperJobNode(
                new PausingZooKeeper(() -> client(APP + ":job-secret"), System::nanoTime), APP, acl);
    }

    @AfterEach
    void stop() throws Exception {
        rm.close();
        server.close();
    }

    private static ProfileRecord profile(String modelTag, long vcores) {
        return new ProfileRecord(
                "application_0_9",
                modelTag,
                "",
                0,
                ProfileRecord.Phase.READY,
                1,
                List.of(new ProfileRecord.Point(vcores, 0, 10, 1)),
                1);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                fail("it did not come within 120 s");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean written(String path, String text) throws Exception {
        return rm.checkExists().forPath(path) != null
                && new String(rm.getData().forPath(path), StandardCharsets.UTF_8).equals(text);
    }

    @Test
    void writesForItselfAndTheResourceManagerAlone() throws Exception {
        JobProgressRecord progress = new JobProgressRecord(5, 10, 1, 0, "training", 7);
        try (ZooKeeperJobNode node = node()) {
            node.publish(profile("resnet", 2));
            node.publish(progress);
            await(() -> written(ZkPaths.profile(APP), profile("resnet", 2).toJson())
                    && written(ZkPaths.progress(APP), progress.toJson()));
            try (CuratorFramework stranger = client("eve:x")) {
                stranger.start();
                assertThrows(KeeperException.NoAuthException.class, () -> stranger.getData()
                        .forPath(ZkPaths.profile(APP)));
                assertThrows(KeeperException.NoAuthException.class, () -> stranger.setData()
                        .forPath(ZkPaths.profile(APP), new byte[0]));
            }
        }
    }

    @Test
    void writesNothingAfterTheResourceManagerHasRemovedTheNode() throws Exception {
        try (ZooKeeperJobNode node = node()) {
            node.publish(profile("m", 1));
            await(() -> written(ZkPaths.profile(APP), profile("m", 1).toJson()));
            rm.delete().deletingChildrenIfNeeded().forPath(ZkPaths.job(APP));
            node.publish(profile("m", 2));
            node.flush();
            assertTrue(rm.checkExists().forPath(ZkPaths.job(APP)) == null);
        }
    }

    @Test
    void writesWhatIsDueWhenTheResourceManagerMakesTheNode() throws Exception {
        rm.delete().forPath(ZkPaths.job(APP));
        try (ZooKeeperJobNode node = node()) {
            node.publish(profile("m", 1));
            node.flush();
            makeNode();
            await(() -> written(ZkPaths.profile(APP), profile("m", 1).toJson()));
        }
    }

    @Test
    void writesTheLatestWhenZooKeeperIsBack() throws Exception {
        try (ZooKeeperJobNode node = node()) {
            node.publish(profile("m", 1));
            await(() -> written(ZkPaths.profile(APP), profile("m", 1).toJson()));
            server.stop();
            node.publish(profile("m", 2));
            node.publish(profile("m", 3));
            server.restart();
            await(() -> {
                try {
                    return written(ZkPaths.profile(APP), profile("m", 3).toJson());
                } catch (KeeperException e) {
                    return false;
                }
            });
        }
    }

    private Optional<ProfileRecord> known(byte[] data) throws Exception {
        try (ZooKeeperJobNode node = node()) {
            rm.create().creatingParentsIfNeeded().withACL(acl.acls()).forPath(ZkPaths.knownProfile(APP), data);
            CompletableFuture<Optional<ProfileRecord>> found = new CompletableFuture<>();
            node.awaitKnownProfile("resnet", 120_000, found::complete);
            return found.get(240, TimeUnit.SECONDS);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void findsAKnownProfile() throws Exception {
        assertEquals(
                Optional.of(profile("resnet", 2)),
                known(bytes(profile("resnet", 2).toJson())));
    }

    @Test
    void ignoresACorruptOne() throws Exception {
        assertEquals(Optional.empty(), known(new byte[] {1, 2, 3}));
    }

    @Test
    void ignoresANewerOne() throws Exception {
        assertEquals(
                Optional.empty(), known(bytes(profile("resnet", 2).toJson().replace("\"schema\":1", "\"schema\":2"))));
    }

    @Test
    void ignoresAnotherModelsOne() throws Exception {
        assertEquals(Optional.empty(), known(bytes(profile("bert", 2).toJson())));
    }

    @Test
    void ignoresOneThatAStrangerCouldHaveWritten() throws Exception {
        try (ZooKeeperJobNode node = node()) {
            rm.create()
                    .creatingParentsIfNeeded()
                    .forPath(
                            ZkPaths.knownProfile(APP),
                            bytes(profile("resnet", 2).toJson()));
            CompletableFuture<Optional<ProfileRecord>> found = new CompletableFuture<>();
            node.awaitKnownProfile("resnet", 120_000, found::complete);
            assertFalse(found.get(120, TimeUnit.SECONDS).isPresent());
        }
    }

    @Test
    void waitsNotLongForOneThatDoesNotCome() throws Exception {
        try (ZooKeeperJobNode node = node()) {
            CompletableFuture<Optional<ProfileRecord>> found = new CompletableFuture<>();
            node.awaitKnownProfile("resnet", 500, found::complete);
            assertEquals(Optional.empty(), found.get(120, TimeUnit.SECONDS));
        }
    }
}
