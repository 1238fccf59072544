// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caps of nodes' GPUs in ZooKeeper. Epochs go on from what a ResourceManager before this one has written, whose clock may
 * have been ahead: a node hears nobody below the highest that it has seen.
 */
final class ZkCaps {
    private static final Logger LOG = LoggerFactory.getLogger(ZkCaps.class);

    private final CuratorFramework client;
    private final ZkAccess access;
    private final ZkWriter writer;
    /** By node, the newest caps that are not written yet. */
    private final Map<String, NodeCaps> waiting = new ConcurrentHashMap<>();
    /** By node, the highest epoch that stands there; of the writer's thread alone. */
    private final Map<String, Long> epochs = new HashMap<>();

    ZkCaps(CuratorFramework client, ZkAccess access, ZkWriter writer) {
        this.client = client;
        this.access = access;
        this.writer = writer;
    }

    void tell(String node, NodeCaps wanted) {
        if (waiting.put(node, wanted) == null) {
            writer.execute(() -> {
                for (NodeCaps newest = waiting.get(node); newest != null; newest = waiting.get(node)) {
                    try {
                        write(node, newest);
                    } catch (KeeperException.NoAuthException
                            | KeeperException.NodeExistsException
                            | KeeperException.NoNodeException e) {
                        // Not tried again: the next caps must not find these in their way.
                        waiting.remove(node);
                        throw e;
                    }
                    waiting.remove(node, newest);
                }
            });
        }
    }

    private void write(String node, NodeCaps wanted) throws Exception {
        Long last = epochs.get(node);
        long epoch = Math.max(wanted.epoch(), 1 + (last == null ? before(node) : last));
        access.write(
                client,
                ZkPaths.power(node),
                new NodeCaps(epoch, wanted.leaseMs(), wanted.caps()).toJson(),
                access.own());
        epochs.put(node, epoch);
    }

    /** 0 where nobody has told the node anything. */
    private long before(String node) throws Exception {
        String path = ZkPaths.power(node);
        try {
            return NodeCaps.fromJson(path, new String(client.getData().forPath(path), StandardCharsets.UTF_8))
                    .epoch();
        } catch (KeeperException.NoNodeException e) {
            return 0;
        } catch (WireFormatException e) {
            LOG.warn("Caps in ZooKeeper are written anew: {}", e.getMessage());
            return 0;
        }
    }
}
