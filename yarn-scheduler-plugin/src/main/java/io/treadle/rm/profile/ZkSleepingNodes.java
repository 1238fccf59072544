// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.SleepingNodesRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.sleep.SleepRecords;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/**
 * Which nodes are off, in one record in ZooKeeper. What stands there and cannot be read is never written over: somebody has
 * to mend or delete it.
 */
final class ZkSleepingNodes implements SleepRecords {
    private final CuratorFramework client;
    private final ZkAccess access;
    private final String path;
    private final ZkWriter writer;
    private final AtomicBoolean waits = new AtomicBoolean();
    /** The newest that is to be written. */
    private volatile SleepingNodesRecord wanted = SleepingNodesRecord.EMPTY;

    private volatile Optional<SleepingNodesRecord> standing = Optional.empty();
    private volatile Optional<String> trouble = Optional.empty();

    /** What is done on the writer's thread. */
    private interface Work {
        @SuppressWarnings("IllegalThrows") // Curator declares no narrower type.
        void run() throws Exception;
    }

    ZkSleepingNodes(CuratorFramework client, ZkAccess access, ZkWriter writer) {
        this.client = client;
        this.access = access;
        this.path = access.ofCluster(ZkPaths.SLEEPING_NODES);
        this.writer = writer;
    }

    @Override
    public void read() {
        once(() -> {
            if (standing.isEmpty()) {
                standing = Optional.of(stands());
            }
        });
    }

    @Override
    public void keep(SleepingNodesRecord record) {
        wanted = record;
        if (standing.isEmpty() || standing.get().equals(record)) {
            return;
        }
        once(() -> {
            SleepingNodesRecord newest = wanted;
            access.write(client, path, newest.toJson(), access.own());
            standing = Optional.of(newest);
        });
    }

    /** Once at a time: what is asked for while ZooKeeper is away does not pile up. */
    private void once(Work work) {
        if (waits.compareAndSet(false, true)) {
            writer.execute(() -> {
                try {
                    work.run();
                    trouble = Optional.empty();
                } catch (WireFormatException e) {
                    trouble = Optional.of("Which nodes are off cannot be read, and none is switched on or off: "
                            + e.getMessage() + ". Maybe mend or delete " + path + " in ZooKeeper.");
                } catch (Throwable e) { // Curator declares no narrower type; after an Error the next is written, too.
                    if (ZkWriter.comesBack(e)) {
                        throw e;
                    }
                    trouble = Optional.of("Which nodes are off cannot be kept at " + path
                            + " in ZooKeeper, and none is switched off: " + e + ".");
                }
                waits.set(false);
            });
        }
    }

    private SleepingNodesRecord stands() throws Exception {
        try {
            return SleepingNodesRecord.fromJson(
                    path, new String(client.getData().forPath(path), StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return SleepingNodesRecord.EMPTY;
        }
    }

    @Override
    public Optional<SleepingNodesRecord> standing() {
        return standing;
    }

    @Override
    public Optional<String> trouble() {
        return trouble;
    }

    @Override
    public String place() {
        return path + " in ZooKeeper";
    }
}
