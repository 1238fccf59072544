// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.QueueOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a gang's reserved room is not kept from goes by the order that its queue has. */
class QueueOrderTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({"fifo, true", "io.treadle.rm.gang.GangOrderingPolicy, true", "fair, false"})
    void applicationThatHoldsMoreComesFirstByFifoAlone(String order, boolean isFirst) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+proportional");
        conf.set("yarn.scheduler.capacity.root.ml.ordering-policy", order);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, 16, 65_536);
            ApplicationId light = id(cluster.startApp("ml", Map.of(), List.of(), node));
            MockAM holds =
                    cluster.startApp("ml", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 4096), 2), node);
            assertEquals(2, cluster.awaitContainers(holds, 2).size());
            // Gangs are put in order by the policy.
            cluster.startApp("ml", SchedulerHarness.gang(1, 0, 16, 512).toProperties(), List.of(), node);
            ApplicationId gang = id(
                    cluster.startApp("ml", SchedulerHarness.gang(1, 0, 16, 512).toProperties(), List.of(), node));
            // Neither one that comes later nor one of another queue comes before it.
            MockAM later =
                    cluster.startApp("ml", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 4096), 1), node);
            assertEquals(1, cluster.awaitContainers(later).size());
            cluster.startApp("plain", Map.of(), List.of(), node);
            Set<ApplicationId> before = QueueOrder.servedBefore(
                    cluster.scheduler().access().app(gang).orElseThrow());
            assertEquals(isFirst ? Set.of(light, id(holds)) : Set.of(light), before);
        }
    }

    private static ApplicationId id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }
}
