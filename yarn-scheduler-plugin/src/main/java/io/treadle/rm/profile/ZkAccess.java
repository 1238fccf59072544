// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may read and write what under {@code /treadle}, and the few writes that the ResourceManager does there, with
 * Curator's exceptions.
 */
final class ZkAccess {
    /** A server closes the connection where a request is above its jute.maxbuffer (1,048,575), and it would be tried for ever. */
    private static final int MOST_BYTES = 1_000_000;

    private static final int MOST_SHOWN = 100;
    private static final Logger LOG = LoggerFactory.getLogger(ZkAccess.class);

    private static final long NOTICES_IDLE_SECONDS = 5;

    private final Optional<String> secret;
    private final String clusterId;

    private ZkAccess(Optional<String> secret, String clusterId) {
        this.secret = secret;
        this.clusterId = clusterId;
    }

    /**
     * @throws UncheckedIOException if the secret's file cannot be read
     * @throws IllegalArgumentException if it is empty
     */
    static ZkAccess from(SchedulerConf conf) {
        if (conf.zkDigestFile().isEmpty()) {
            LOG.warn(
                    "{} is not set: whoever reaches ZooKeeper can write Treadle's records. Name a file with a secret that only the yarn user reads.",
                    SchedulerConf.ZK_DIGEST_FILE);
            return new ZkAccess(Optional.empty(), conf.clusterId());
        }
        try {
            String secret = Files.readString(Path.of(conf.zkDigestFile())).trim();
            if (secret.isEmpty()) {
                throw new IllegalArgumentException(SchedulerConf.ZK_DIGEST_FILE + " names '" + conf.zkDigestFile()
                        + "', which is empty, must hold a secret");
            }
            return new ZkAccess(Optional.of(secret), conf.clusterId());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    SchedulerConf.ZK_DIGEST_FILE + " names '" + conf.zkDigestFile() + "', which cannot be read", e);
        }
    }

    /** Where this cluster has what there is once in a cluster. */
    String ofCluster(String path) {
        return ZkPaths.ofCluster(path, clusterId);
    }

    CuratorFramework newClient(String address) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(address)
                // Curator makes a thread for these and never ends it: one more after each failover.
                .runSafeService(notices())
                .retryPolicy(new ExponentialBackoffRetry(500, 5, 5000));
        secret.ifPresent(s -> builder.authorization("digest", ("treadle:" + s).getBytes(StandardCharsets.UTF_8)));
        return builder.build();
    }

    /** One thread that ends where there is nothing to do. */
    private static Executor notices() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, NOTICES_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "treadle-zookeeper-notices");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** All to the RM and the nodes, which share a secret; to everybody where there is none. */
    List<ACL> own() {
        return secret.isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    void createTree(CuratorFramework client) throws Exception {
        for (String path : List.of(ZkPaths.ROOT, ZkPaths.JOBS, ZkPaths.NODES, ZkPaths.PROFILES)) {
            create(client, path, new byte[0], own());
        }
    }

    void createJob(CuratorFramework client, String applicationId, String jobDigest) throws Exception {
        createTree(client);
        create(client, ZkPaths.job(applicationId), clusterId.getBytes(StandardCharsets.UTF_8), withJob(jobDigest));
    }

    /** Ids of the applications whose jobs have nodes, those of other clusters in the same ZooKeeper too. */
    List<String> jobs(CuratorFramework client) throws Exception {
        return client.getChildren().forPath(ZkPaths.JOBS);
    }

    /** Deletes the node of a job that is gone. One that the ResourceManager of another cluster made stays. */
    void deleteJob(CuratorFramework client, String job) throws Exception {
        if (isOurs(client, job)) {
            LOG.info("Job {} is gone, what it left in ZooKeeper is deleted", job);
            delete(client, ZkPaths.job(job));
        }
    }

    private boolean isOurs(CuratorFramework client, String applicationId) throws Exception {
        try {
            byte[] made = client.getData().forPath(ZkPaths.job(applicationId));
            return clusterId.equals(made == null ? "" : new String(made, StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
    }

    /** All to the RM, and to the job whose digest this is what it needs to write its records. */
    List<ACL> withJob(String jobDigest) {
        List<ACL> acl = new ArrayList<>(own());
        if (secret.isPresent() && !jobDigest.isEmpty()) {
            acl.add(new ACL(
                    ZooDefs.Perms.READ | ZooDefs.Perms.WRITE | ZooDefs.Perms.CREATE, new Id("digest", jobDigest)));
        }
        return acl;
    }

    /**
     * Creates the node, or replaces its data.
     *
     * @throws IllegalArgumentException if it is too large for ZooKeeper
     */
    void write(CuratorFramework client, String path, String text, List<ACL> acl) throws Exception {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        checkSize(path, data, acl);
        if (client.checkExists().forPath(path) == null) {
            client.create().creatingParentsIfNeeded().withACL(acl, true).forPath(path, data);
        } else {
            client.setData().forPath(path, data);
        }
    }

    void delete(CuratorFramework client, String path) throws Exception {
        client.delete().quietly().deletingChildrenIfNeeded().forPath(path);
    }

    private static void checkSize(String path, byte[] data, List<ACL> acl) {
        long bytes = path.getBytes(StandardCharsets.UTF_8).length + (long) data.length;
        for (ACL each : acl) {
            bytes += each.getId().getId().getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(path.substring(0, Math.min(MOST_SHOWN, path.length())) + " would have "
                    + bytes + " bytes in ZooKeeper, must have at most " + MOST_BYTES);
        }
    }

    private void create(CuratorFramework client, String path, byte[] data, List<ACL> acl) throws Exception {
        checkSize(path, data, acl);
        try {
            client.create().withACL(acl).forPath(path, data);
        } catch (KeeperException.NodeExistsException e) {
            LOG.debug("{} exists", path);
        }
    }
}
