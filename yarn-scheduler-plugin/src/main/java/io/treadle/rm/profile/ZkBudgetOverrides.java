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
    private PowerBudgetsRecord record = PowerBudgetsRecord.EMPTY;
    private int version = -1;

    ZkBudgetOverrides(CuratorFramework client, ZkAccess access) {
        this.client = client;
        this.access = access;
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
    synchronized boolean read(int readVersion, String text) {
        if (readVersion <= version) {
            return false;
        }
        PowerBudgetsRecord before = record;
        record = PowerBudgetsRecord.fromJson(ZkPaths.POWER_BUDGETS, text);
        version = readVersion;
        return !record.equals(before);
    }

    /** The record was deleted: the settings alone count. */
    synchronized void forget() {
        record = PowerBudgetsRecord.EMPTY;
        version = -1;
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
            byte[] data = client.getData().storingStatIn(stat).forPath(ZkPaths.POWER_BUDGETS);
            PowerBudgetsRecord stands =
                    PowerBudgetsRecord.fromJson(ZkPaths.POWER_BUDGETS, new String(data, StandardCharsets.UTF_8));
            PowerBudgetsRecord changed = change.apply(stands);
            Stat written = client.setData()
                    .withVersion(stat.getVersion())
                    .forPath(ZkPaths.POWER_BUDGETS, changed.toJson().getBytes(StandardCharsets.UTF_8));
            read(written.getVersion(), changed.toJson());
            return true;
        } catch (KeeperException.NoNodeException e) {
            PowerBudgetsRecord first = change.apply(PowerBudgetsRecord.EMPTY);
            access.write(client, ZkPaths.POWER_BUDGETS, first.toJson(), access.own());
            read(0, first.toJson());
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException e) {
            return false;
        }
    }
}
