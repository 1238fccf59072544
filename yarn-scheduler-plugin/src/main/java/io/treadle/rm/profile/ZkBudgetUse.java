// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.BudgetUseRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been used of energy budgets, in one record in ZooKeeper: read once at the start, then written. */
final class ZkBudgetUse {
    private static final Logger LOG = LoggerFactory.getLogger(ZkBudgetUse.class);

    private final CuratorFramework client;
    private final ZkAccess access;
    private final String path;
    private final ZkWriter writer;
    private final Consumer<BudgetUseRecord> before;
    private final AtomicBoolean waits = new AtomicBoolean();
    private BudgetUseRecord written = BudgetUseRecord.EMPTY;

    /** @param before takes what stands there at the start */
    ZkBudgetUse(CuratorFramework client, ZkAccess access, ZkWriter writer, Consumer<BudgetUseRecord> before) {
        this.client = client;
        this.access = access;
        this.path = access.ofCluster(ZkPaths.POWER_USED);
        this.writer = writer;
        this.before = before;
    }

    /** To be called on the writer's thread, before anything is written. */
    void read() throws Exception {
        try {
            String text = new String(client.getData().forPath(path), StandardCharsets.UTF_8);
            written = BudgetUseRecord.fromJson(path, text);
            before.accept(written);
        } catch (KeeperException.NoNodeException e) {
            LOG.debug("nothing was used of any energy budget yet");
        } catch (WireFormatException e) {
            LOG.warn("What was used of energy budgets cannot be read, they begin anew: {}", e.getMessage());
        }
    }

    /** @param newest is asked when ZooKeeper can be written: what stood there has been taken by then */
    void keep(Supplier<BudgetUseRecord> newest) {
        if (waits.compareAndSet(false, true)) {
            writer.execute(() -> {
                waits.set(false);
                BudgetUseRecord record = newest.get();
                if (!record.equals(written)) {
                    access.write(client, path, record.toJson(), access.own());
                    written = record;
                }
            });
        }
    }
}
