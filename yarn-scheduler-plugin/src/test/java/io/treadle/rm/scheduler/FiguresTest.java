// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.apache.hadoop.test.MetricsAsserts.getIntGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void figuresStayTrueWhenTheLastJobHasGone() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            cluster.launch(cluster.awaitContainers(am));
            cluster.awaitTrue("one job runs", () -> gauge("JobsRunning") == 1);
            cluster.resourceManager.killApp(am.getApplicationAttemptId().getApplicationId());
            cluster.awaitTrue("none does", () -> gauge("JobsRunning") == 0);
            assertEquals(0, gauge("JobsWaiting"));
        }
    }

    private static int gauge(String name) {
        return getIntGauge(name, getMetrics("TreadleMetrics"));
    }
}
