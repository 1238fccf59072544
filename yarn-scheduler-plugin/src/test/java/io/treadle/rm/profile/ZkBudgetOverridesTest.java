// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZkBudgetOverridesTest {
    private ConnectedZooKeeper zooKeeper;
    private CuratorFramework client;
    private ZkBudgetOverrides overrides;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new ConnectedZooKeeper();
        client = zooKeeper.client;
        overrides = new ZkBudgetOverrides(client, zooKeeper.access);
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private static PowerBudgetsRecord watts(double watts) {
        return PowerBudgetsRecord.EMPTY.withCluster(Optional.of(OptionalDouble.of(watts)));
    }

    private Stat stat() throws Exception {
        return client.checkExists().forPath(ZkPaths.POWER_BUDGETS);
    }

    /** Both are the first version of their znode. */
    @Test
    void recordThatWasDeletedAndMadeAnewIsNotTakenForAnOldOne() throws Exception {
        overrides.change(before -> watts(5000));
        Stat first = stat();
        client.delete().forPath(ZkPaths.POWER_BUDGETS);
        client.create().forPath(ZkPaths.POWER_BUDGETS, watts(6000).toJson().getBytes(StandardCharsets.UTF_8));
        assertEquals(first.getVersion(), stat().getVersion());
        assertTrue(overrides.read(stat(), watts(6000).toJson()));
        assertEquals(watts(6000), overrides.now());
        overrides.forget(first);
        assertFalse(overrides.read(first, watts(5000).toJson()));
        assertEquals(watts(6000), overrides.now(), "what comes late of the first");
        overrides.forget(stat());
        assertEquals(PowerBudgetsRecord.EMPTY, overrides.now());
    }

    @Test
    void changesBuildOnWhatStandsThere() throws Exception {
        overrides.change(before -> watts(5000));
        client.setData()
                .forPath(
                        ZkPaths.POWER_BUDGETS,
                        watts(7000)
                                .withQueueEnergy("root.a", Optional.of("total:5"))
                                .toJson()
                                .getBytes(StandardCharsets.UTF_8));
        overrides.change(before -> before.withCluster(Optional.empty()));
        assertEquals(PowerBudgetsRecord.EMPTY.withQueueEnergy("root.a", Optional.of("total:5")), overrides.now());
    }
}
