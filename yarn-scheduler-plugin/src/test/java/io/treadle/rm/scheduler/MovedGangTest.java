// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** {@code yarn application -movetoqueue}. */
class MovedGangTest {
    @Test
    void gangIsPlannedInTheQueueThatItWasMovedTo() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "75");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM first = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            assertEquals(1, cluster.awaitContainers(first).size());
            MockAM second = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            ApplicationId id = second.getApplicationAttemptId().getApplicationId();
            cluster.awaitTrue("the queue is full", () -> {
                cluster.heartbeat();
                return cluster.scheduler()
                        .gangs()
                        .find(id)
                        .orElseThrow()
                        .reason()
                        .contains("queue root.ml has");
            });

            cluster.scheduler().preValidateMoveApplication(id, "plain");
            cluster.scheduler().moveApplication(id, "plain");
            assertEquals(
                    "root.plain",
                    cluster.scheduler().gangs().find(id).orElseThrow().queue());
            assertEquals(1, cluster.awaitContainers(second).size());
        }
    }
}
