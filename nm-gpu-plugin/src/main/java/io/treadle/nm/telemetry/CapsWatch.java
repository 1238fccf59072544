// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.WireFormatException;
import io.treadle.nm.power.CapLease;
import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches what the ResourceManager wants the node's GPUs to draw. What cannot be read changes nothing: its lease ends. */
final class CapsWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CapsWatch.class);

    private final String path;
    private final CapLease lease;
    private final CuratorCache cache;

    private CapsWatch(CuratorFramework client, String path, CapLease lease) {
        this.path = path;
        this.lease = lease;
        this.cache = CuratorCache.build(client, path, CuratorCache.Options.SINGLE_NODE_CACHE);
    }

    static CapsWatch start(CuratorFramework client, String path, CapLease lease) {
        CapsWatch watch = new CapsWatch(client, path, lease);
        watch.cache
                .listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreatesAndChanges((before, now) -> watch.read(now))
                        .forDeletes(gone -> lease.withdraw())
                        .build());
        watch.cache.start();
        return watch;
    }

    private void read(ChildData data) {
        byte[] bytes = data.getData();
        try {
            lease.offer(NodeCaps.fromJson(path, bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8)));
        } catch (WireFormatException e) {
            LOG.error(
                    "caps in ZooKeeper are ignored, what was wanted before holds until its lease ends: {}",
                    e.getMessage());
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
