// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.apache.hadoop.test.MetricsAsserts.getIntGauge;
import static org.apache.hadoop.test.MetricsAsserts.getLongGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QuickTypeMetrics;
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

    /** All that are there at the start, of queues and of the default partition: a figure that is looked up each time costs. */
    @Test
    void queuesCountResourceTypesWithGaugesThatAreRemembered() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            Map<String, QueueMetrics> all = Map.copyOf(QueueMetrics.getQueueMetrics());
            List.of("root", "root.ml", "default.root", "default.root.ml")
                    .forEach(name -> assertTrue(all.containsKey(name), () -> name + " of " + all.keySet()));
            all.forEach((name, metrics) ->
                    assertInstanceOf(QuickTypeMetrics.class, metrics.getQueueMetricsForCustomResources(), name));
            MockNM node = cluster.node(1001, 2, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            cluster.launch(cluster.awaitContainers(am));
            for (String name : List.of("root", "root.ml", "default.root", "default.root.ml")) {
                assertEquals(
                        2,
                        getLongGauge("AllocatedResource.yarn.io/gpu", getMetrics(all.get(name))),
                        () -> "allocated GPUs of " + name);
            }
        }
    }

    private static int gauge(String name) {
        return getIntGauge(name, getMetrics("TreadleMetrics"));
    }
}
