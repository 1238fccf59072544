// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
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
    private static final long SWEEP_MS = TimeUnit.HOURS.toMillis(1);
    private static final long KEPT_MS = TimeUnit.DAYS.toMillis(1);

    private final CuratorFramework client;
    private final ZkAccess access;
    private final ZkWriter writer;
    /** By node, the newest caps that are not written yet. */
    private final Map<String, NodeCaps> waiting = new ConcurrentHashMap<>();
    /** By node, the highest epoch that stands there; of the writer's thread alone. */
    private final Map<String, Long> epochs = new HashMap<>();

    private final InstantSource clock;
    private final AtomicLong sweptMs = new AtomicLong();

    ZkCaps(CuratorFramework client, ZkAccess access, ZkWriter writer, InstantSource clock) {
        this.client = client;
        this.access = access;
        this.writer = writer;
        this.clock = clock;
    }

    void tell(String node, NodeCaps wanted) {
        if (waiting.put(node, wanted) == null) {
            writer.execute(() -> {
                for (NodeCaps newest = waiting.get(node); newest != null; newest = waiting.get(node)) {
                    try {
                        write(node, newest);
                    } catch (Throwable e) {
                        if (!ZkWriter.comesBack(e)) {
                            // The next caps must not find these in their way.
                            waiting.remove(node);
                        }
                        throw e;
                    }
                    waiting.remove(node, newest);
                }
            });
        }
    }

    /** The node is gone: its epoch is read again where it comes back. */
    void forget(String node) {
        writer.execute(() -> epochs.remove(node));
    }

    /**
     * Deletes the caps of nodes that are gone, once in an hour at most. Only those that were told a day ago: a node that comes
     * back hears no epoch below the one that it has seen, and the time of day is above that then.
     */
    void sweep(Predicate<String> isGone) {
        long nowMs = clock.millis();
        long before = sweptMs.get();
        if (nowMs - before >= SWEEP_MS && sweptMs.compareAndSet(before, nowMs)) {
            writer.execute(() -> {
                for (String node : names()) {
                    if (isGone.test(node) && before(node) < nowMs - KEPT_MS) {
                        access.delete(client, ZkPaths.power(node));
                        epochs.remove(node);
                    }
                }
            });
        }
    }

    private List<String> names() throws Exception {
        try {
            return client.getChildren().forPath(ZkPaths.POWER);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /** Of how many nodes the epoch is remembered. */
    int remembered() {
        return epochs.size();
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
            long epoch = NodeCaps.fromJson(path, new String(client.getData().forPath(path), StandardCharsets.UTF_8))
                    .epoch();
            if (epoch <= clock.millis() + NodeCaps.MOST_AHEAD_MS) {
                return epoch;
            }
            LOG.warn("Caps in ZooKeeper are replaced: {} has epoch {}, a time that has not come", path, epoch);
            return 0;
        } catch (KeeperException.NoNodeException e) {
            return 0;
        } catch (WireFormatException e) {
            LOG.warn("Caps in ZooKeeper are written anew: {}", e.getMessage());
            return 0;
        }
    }
}
