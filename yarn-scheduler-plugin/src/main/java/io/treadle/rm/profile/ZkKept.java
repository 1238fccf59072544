// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One record in ZooKeeper that a ResourceManager leaves for the next: read once at the start, then written.
 *
 * @param <T> the record
 */
final class ZkKept<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ZkKept.class);

    private final CuratorFramework client;
    private final ZkAccess access;
    private final ZkWriter writer;
    private final Format<T> format;
    private final Consumer<T> before;
    private final AtomicBoolean waits = new AtomicBoolean();
    private T written;

    /**
     * Where the record stands and how it is written.
     *
     * @param nothing what does not need to be written first
     */
    record Format<T>(String path, BiFunction<String, String, T> parse, Function<T, String> toJson, T nothing) {}

    /** @param before takes what stands there at the start; {@code nothing} where that is nothing */
    ZkKept(CuratorFramework client, ZkAccess access, ZkWriter writer, Format<T> format, Consumer<T> before) {
        this.client = client;
        this.access = access;
        this.writer = writer;
        this.format = format;
        this.before = before;
        this.written = format.nothing();
    }

    /** To be called on the writer's thread, before anything is written. */
    void read() throws Exception {
        try {
            String text = new String(client.getData().forPath(format.path()), StandardCharsets.UTF_8);
            written = format.parse().apply(format.path(), text);
        } catch (KeeperException.NoNodeException e) {
            LOG.debug("{} is not there yet", format.path());
        } catch (WireFormatException e) {
            LOG.warn("A record in ZooKeeper cannot be read and begins anew: {}", e.getMessage());
        }
        before.accept(written);
    }

    /** @param newest is asked when ZooKeeper can be written: what stood there has been taken by then */
    void keep(Supplier<T> newest) {
        if (waits.compareAndSet(false, true)) {
            writer.execute(() -> {
                waits.set(false);
                T record = newest.get();
                if (!record.equals(written)) {
                    access.write(client, format.path(), format.toJson().apply(record), access.own());
                    written = record;
                }
            });
        }
    }
}
