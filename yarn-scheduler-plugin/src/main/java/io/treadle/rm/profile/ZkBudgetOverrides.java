// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.power.BudgetOverrides;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** Power budgets in one record in ZooKeeper, for the ResourceManager that comes next. */
final class ZkBudgetOverrides implements BudgetOverrides {
    private final CuratorFramework client;
    private final ZkAccess access;
    private final String path;
    private PowerBudgetsRecord record = PowerBudgetsRecord.EMPTY;
    /** When the record was written that is known, by ZooKeeper's count of all changes: it grows over deletion too. */
    private long changedAt = -1;

    ZkBudgetOverrides(CuratorFramework client, ZkAccess access) {
        this.client = client;
        this.access = access;
        this.path = access.ofCluster(ZkPaths.POWER_BUDGETS);
    }

    String path() {
        return path;
    }

    @Override
    public synchronized PowerBudgetsRecord now() {
        return record;
    }

    @Override
    public boolean areKept() {
        return true;
    }

    /**
     * Takes what stands in ZooKeeper, unless what is known is newer: a change of our own is known before its echo comes.
     *
     * @return whether something has changed
     */
    synchronized boolean read(Stat stat, String text) {
        if (stat.getMzxid() <= changedAt) {
            return false;
        }
        PowerBudgetsRecord before = record;
        record = PowerBudgetsRecord.fromJson(path, text);
        changedAt = stat.getMzxid();
        return !record.equals(before);
    }

    /** The record that stood so was deleted: the settings alone count, unless another is known already. */
    synchronized void forget(Stat deleted) {
        if (deleted.getMzxid() >= changedAt) {
            record = PowerBudgetsRecord.EMPTY;
        }
    }

    @Override
    public void change(UnaryOperator<PowerBudgetsRecord> change) throws IOException {
        if (!client.getZookeeperClient().isConnected()) {
            throw new IOException("it is not connected");
        }
        try {
            while (!written(change)) {
                // Somebody else has written since it was read: a ResourceManager that is being replaced.
            }
        } catch (WireFormatException e) {
            throw new IOException(
                    "what stands there cannot be read, and must be mended or deleted: " + e.getMessage(), e);
        } catch (Exception e) { // Curator declares no narrower type.
            throw new IOException(e.toString(), e);
        }
    }

    private boolean written(UnaryOperator<PowerBudgetsRecord> change) throws Exception {
        Stat stat = new Stat();
        try {
            byte[] data = client.getData().storingStatIn(stat).forPath(path);
            PowerBudgetsRecord stands = PowerBudgetsRecord.fromJson(path, new String(data, StandardCharsets.UTF_8));
            PowerBudgetsRecord changed = change.apply(stands);
            Stat written = client.setData()
                    .withVersion(stat.getVersion())
                    .forPath(path, changed.toJson().getBytes(StandardCharsets.UTF_8));
            read(written, changed.toJson());
            return true;
        } catch (KeeperException.NoNodeException e) {
            PowerBudgetsRecord first = change.apply(PowerBudgetsRecord.EMPTY);
            return created(first);
        } catch (KeeperException.BadVersionException e) {
            return false;
        }
    }

    private boolean created(PowerBudgetsRecord first) throws Exception {
        Stat stat = new Stat();
        try {
            client.create()
                    .storingStatIn(stat)
                    .creatingParentsIfNeeded()
                    .withACL(access.own(), true)
                    .forPath(path, first.toJson().getBytes(StandardCharsets.UTF_8));
            read(stat, first.toJson());
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        }
    }
}
