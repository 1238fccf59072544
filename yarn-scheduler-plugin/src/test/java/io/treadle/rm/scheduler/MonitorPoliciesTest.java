// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.bridge.GangPreemptionPolicy;
import java.util.Set;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitorManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code yarn.resourcemanager.scheduler.monitor.policies} names runs, with our policy where it names YARN's own. */
class MonitorPoliciesTest {
    private static YarnConfiguration monitored() {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo");
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
        return conf;
    }

    private static SchedulingMonitorManager monitors(SchedulerHarness cluster) {
        return cluster.scheduler().getSchedulingMonitorManager();
    }

    @Test
    void oursRunsInThePlaceOfYarnsDefault() {
        try (SchedulerHarness cluster = SchedulerHarness.start(monitored())) {
            assertTrue(monitors(cluster).isSameConfiguredPolicies(Set.of(GangPreemptionPolicy.class.getName())));
        }
    }

    /** As under CapacityScheduler, also after a refresh. */
    @ParameterizedTest(name = "''{0}''")
    @ValueSource(strings = {"", " "})
    void emptyListTurnsPreemptionOff(String policies) throws Exception {
        YarnConfiguration conf = monitored();
        conf.set(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, policies);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            assertTrue(monitors(cluster).isRSMEmpty());
            cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
            assertTrue(monitors(cluster).isRSMEmpty());
        }
    }
}
