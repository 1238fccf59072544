// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a user may still take is kept for a gang that waits for containers of a later application to end. That application has
 * lost its ApplicationMaster: without another one they never do.
 */
class NextMasterBesideReservationTest {
    @ParameterizedTest(name = "asynchronous scheduling {0}, {1}")
    @CsvSource({"false, fifo", "true, fifo", "false, fair", "true, fair"})
    void applicationGetsItsNextMaster(boolean asynchronous, String order) throws Exception {
        YarnConfiguration conf = GangReservationTest.settings(asynchronous);
        conf.set("yarn.scheduler.capacity.root.ml.user-limit-factor", "1");
        conf.set("yarn.scheduler.capacity.root.ml.ordering-policy", order);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, 16, 65_536);
            GangSpec spec = SchedulerHarness.gang(2, 0, 3, 256);
            MockAM gang = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            ApplicationId later = cluster.submit("ml", Map.of(), 2);
            MockAM master = cluster.startApp(later, SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 5), node);
            cluster.launch(cluster.awaitContainers(master, 5));
            cluster.ask(gang, SchedulerHarness.requests(spec));
            cluster.awaitTrue("room is reserved for the gang", () -> {
                cluster.answer(gang);
                return !cluster.scheduler().reservations().all().isEmpty();
            });
            assertEquals(7, cluster.used().vcores(), "the gang has to wait");

            ApplicationAttemptId first = master.getApplicationAttemptId();
            node.nodeHeartbeat(first, 1, ContainerState.COMPLETE);
            cluster.awaitTrue("the next ApplicationMaster has its container", () -> {
                cluster.answer(gang);
                RMAppAttempt attempt = cluster.app(later).getCurrentAppAttempt();
                return !attempt.getAppAttemptId().equals(first) && attempt.getMasterContainer() != null;
            });
            assertEquals(
                    1, cluster.scheduler().reservations().all().size(), "the gang's room is reserved as it was before");
        }
    }
}
