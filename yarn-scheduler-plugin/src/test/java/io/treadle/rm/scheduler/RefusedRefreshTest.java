// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds go on while an administrator tries settings that are refused. */
class RefusedRefreshTest {
    private static final String POLICY = "fifo+synergy-tune";

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void roundsNeverSeeSettingsThatAreRefused(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, POLICY);
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "1");
        Set<String> planned = new ConcurrentSkipListSet<>();
        try (SchedulerHarness cluster = SchedulerHarness.start(conf, policy -> {
            planned.add(policy.name());
            return policy;
        })) {
            MockNM node = cluster.node(1001, 2, 8, 8192);
            cluster.awaitContainers(cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node));
            cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            YarnConfiguration changed = new YarnConfiguration(conf);
            changed.set("yarn.scheduler.capacity.root.ml.treadle.policy", "sjf+proportional");
            changed.set("yarn.scheduler.capacity.root.plain.treadle.policy", "bogus");
            for (int i = 0; i < 150; i++) {
                assertThrows(IOException.class, () -> cluster.scheduler()
                        .reinitialize(changed, cluster.resourceManager.getRMContext()));
                cluster.heartbeat();
            }
            assertEquals(Set.of(POLICY), new TreeSet<>(planned));
        }
    }
}
