// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A policy that stops jobs plans rarely. A job that waits for room does not wait for its next plan as well. */
class MoreRoomTest {
    /** One that is asked for nothing but a change. */
    private record OnChange(Policy policy) implements PolicyAround {
        @Override
        public long intervalMs() {
            return TimeUnit.DAYS.toMillis(1);
        }
    }

    private static MockAM startAndWait(SchedulerHarness cluster, MockNM node) throws Exception {
        MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
        cluster.awaitTrue("it waits", () -> {
            cluster.heartbeat();
            return cluster.scheduler()
                    .gangs()
                    .find(am.getApplicationAttemptId().getApplicationId())
                    .filter(gang -> gang.state() == Gang.State.WAITING)
                    .isPresent();
        });
        return am;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, policy {1}")
    @CsvSource({"false, powerflow", "true, powerflow", "false, smd"})
    void jobStartsAfterARefreshThatLetsItsQueueHoldMore(boolean asynchronous, String policy) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, policy);
        conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "50");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf, OnChange::new)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM first = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            cluster.launch(cluster.awaitContainers(first));
            MockAM second = startAndWait(cluster, node);
            conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "100");
            cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
            assertEquals(1, cluster.awaitContainers(second).size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, policy {1}")
    @CsvSource({"false, powerflow", "true, powerflow", "false, smd"})
    void jobStartsWhenAnotherQueueLeavesRoom(boolean asynchronous, String policy) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, policy), OnChange::new)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM other =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(2, 1, 512), 1), node);
            List<Container> held = cluster.awaitContainers(other);
            cluster.launch(held);
            MockAM waits = startAndWait(cluster, node);
            cluster.complete(held);
            assertEquals(1, cluster.awaitContainers(waits).size());
        }
    }
}
