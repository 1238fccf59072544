// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.power.CapLease;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the node's record at {@code /treadle/nodes/<host:port>}, ephemeral: it goes when the NodeManager does. ZooKeeper
 * may be away at any time; Curator makes the node again when it is back.
 */
public final class ZooKeeperSink implements RecordSink {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperSink.class);
    private static final int CONNECT_MS = 5_000;
    private static final int RETRY_MS = 2_000;
    private static final int REFUSALS_OF_NOTE = 10;

    private final CuratorFramework client;
    private @Nullable PersistentNode node;
    private @Nullable CapsWatch caps;
    private int refusals;

    private ZooKeeperSink(CuratorFramework client) {
        this.client = client;
    }

    /** A sink that drops everything where no ZooKeeper is set. */
    public static RecordSink open(NodeConf conf) {
        if (conf.zooKeeper().isEmpty()) {
            LOG.info("{} is not set: the scheduler sees no readings of this node", NodeConf.ZK_ADDRESS);
            return record -> true;
        }
        Optional<String> digest = conf.zkDigestFile().map(ZkDigest::read);
        List<ACL> acl = digest.isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
        if (digest.isEmpty()) {
            LOG.warn(
                    "{} is not set: everyone who reaches ZooKeeper can change what this node says of its devices",
                    NodeConf.ZK_DIGEST_FILE);
        }
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(conf.zooKeeper())
                .sessionTimeoutMs(conf.zooKeeperSessionMs())
                .connectionTimeoutMs(CONNECT_MS)
                .retryPolicy(new RetryForever(RETRY_MS))
                .ensembleTracker(false)
                .aclProvider(new OneAcl(acl));
        digest.ifPresent(secret -> builder.authorization("digest", secret.getBytes(StandardCharsets.UTF_8)));
        CuratorFramework client = builder.build();
        client.getConnectionStateListenable()
                .addListener((c, state) -> LOG.info("ZooKeeper {}: {}", conf.zooKeeper(), state));
        client.start();
        return new ZooKeeperSink(client);
    }

    @Override
    public boolean put(NodeRecord record) {
        byte[] json = record.toJson().getBytes(StandardCharsets.UTF_8);
        PersistentNode existing = node;
        if (existing == null) {
            PersistentNode fresh =
                    new PersistentNode(client, CreateMode.EPHEMERAL, false, ZkPaths.node(record.node()), json, true);
            fresh.start();
            node = fresh;
            return true;
        }
        if (!client.getZookeeperClient().isConnected()) {
            return false;
        }
        if (existing.getActualPath() == null) {
            if (++refusals == REFUSALS_OF_NOTE) {
                LOG.warn(
                        "cannot make {} in ZooKeeper.\nMaybe its parents belong to another digest than that in {}",
                        ZkPaths.node(record.node()),
                        NodeConf.ZK_DIGEST_FILE);
            }
            return false;
        }
        try {
            existing.setData(json);
            return true;
        } catch (Exception e) {
            LOG.warn("cannot write the node's record to ZooKeeper now: {}", e.toString());
            return false;
        }
    }

    @Override
    public void watchCaps(String node, CapLease lease) {
        caps = CapsWatch.start(client, ZkPaths.power(node), lease);
    }

    /** The end of the session takes the ephemeral node away; deleting it first could wait for ZooKeeper for ever. */
    @Override
    public void close() {
        CapsWatch watched = caps;
        if (watched != null) {
            watched.close();
        }
        client.close();
    }

    private record OneAcl(List<ACL> acl) implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return acl;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return acl;
        }
    }
}
