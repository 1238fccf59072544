// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.AllocatedBytes;
import io.treadle.rm.bridge.GangReservation;
import io.treadle.rm.bridge.YarnResources;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

/** What CapacityScheduler's look at a node for an ask costs while room is reserved for a gang, by the bytes that it allocates. */
class LooksBesideReservationsTest {
    private static final int USERS = 100;
    private static final ResourceVector SIZE = ResourceVector.of(0, 2, 512);

    @Test
    void costNoMoreWhereTheGangsQueueHasManyUsers() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo");
        // No round removes what the test has reserved.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = cluster.node(1001, 0, 16, 65_536);
            MockNM second = cluster.node(1002, 0, 16, 65_536);
            GangSpec spec = SchedulerHarness.gang(1, 0, 8, 512);
            MockAM gang = cluster.startApp("ml", spec.toProperties(), List.of(), first);
            // Of the gang's user, and after it.
            MockAM later = cluster.startApp("ml", Map.of(), SchedulerHarness.asks(SIZE, 1), first);
            FiCaSchedulerNode node = cluster.scheduler().getNode(second.getNodeId());
            cluster.scheduler()
                    .reservations()
                    .put(new GangReservation(
                            gang.getApplicationAttemptId().getApplicationId(),
                            "",
                            Map.of(first.getNodeId(), ResourceVector.of(0, 8, 512)),
                            Long.MAX_VALUE,
                            Set.of(),
                            YarnResources.vector(cluster.scheduler().getClusterResource())));
            FiCaSchedulerApp app = cluster.scheduler()
                    .access()
                    .app(later.getApplicationAttemptId().getApplicationId())
                    .orElseThrow();
            SchedulerRequestKey key = app.getSchedulerKeys().iterator().next();
            AllocatedBytes.Action look = () -> assertTrue(cluster.scheduler()
                    .obstacle(app.getAppSchedulingInfo(), key, SIZE, node)
                    .isEmpty());
            long few = AllocatedBytes.of(look);
            for (int i = 0; i < USERS; i++) {
                ApplicationId unused = UserGroupInformation.createRemoteUser("user" + i)
                        .doAs((PrivilegedExceptionAction<ApplicationId>) () -> cluster.submit("ml", Map.of()));
            }
            cluster.awaitTrue(
                    "the queue knows all users",
                    () -> app.getCSLeafQueue().getUsersManager().getUsersInfo().size() >= USERS);
            long many = AllocatedBytes.of(look);
            assertTrue(many < 2 * few, () -> few + " bytes, " + many + " with " + USERS + " users");
        }
    }
}
