// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.apache.hadoop.test.MetricsAsserts.getLongCounter;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.GangSpec;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans keep the limits that CapacityScheduler checks at commit: it never has to take a gang back for them. */
class UserLimitsTest {
    private static final String QUEUE = "yarn.scheduler.capacity.root.ml.";

    private static MockAM startAs(SchedulerHarness cluster, String user, int gpus, MockNM node) throws Exception {
        return UserGroupInformation.createRemoteUser(user).doAs((PrivilegedExceptionAction<MockAM>)
                () -> cluster.startGang(SchedulerHarness.gang(gpus, 1, 1, 256), node));
    }

    private static ApplicationId id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }

    private static void refusedNone() {
        assertEquals(0, getLongCounter("GangsRefused", getMetrics("TreadleMetrics")));
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void userAtTheLimitFactorWaitsAndOthersGoPast(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        // Half of 8 GPUs.
        conf.set(QUEUE + "user-limit-factor", "1");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 8, 43, 16384);
            MockAM first = startAs(cluster, "alice", 4, node);
            List<Container> held = cluster.awaitContainers(first);
            assertEquals(4, held.size());
            MockAM second = startAs(cluster, "alice", 2, node);
            cluster.awaitReason(
                    id(second),
                    "Gang 0/2: user alice may hold 4 GPUs of queue root.ml, holds 4 GPUs, this gang needs 2 GPUs",
                    cluster::heartbeat);
            MockAM bob = startAs(cluster, "bob", 2, node);
            assertEquals(2, cluster.awaitContainers(bob).size());
            assertEquals(List.of(), cluster.pull(second));
            if (!asynchronous) {
                // Beside asynchronous threads, or releases, a plan may be out of date when it is committed; it is made
                // anew.
                refusedNone();
            }

            first.allocate(List.of(), held.stream().map(Container::getId).toList());
            assertEquals(2, cluster.awaitContainers(second).size());
        }
    }

    @Test
    void userWithMoreThanItsPartWaitsWhileAnotherWaits() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        conf.set(QUEUE + "minimum-user-limit-percent", "25");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 8, 43, 16384);
            MockAM first = startAs(cluster, "alice", 4, node);
            assertEquals(4, cluster.awaitContainers(first).size());
            GangSpec two = SchedulerHarness.gang(2, 1, 1, 256);
            MockAM second = UserGroupInformation.createRemoteUser("alice").doAs((PrivilegedExceptionAction<MockAM>)
                    () -> cluster.startApp("ml", two.toProperties(), List.of(), node));
            // 4 GPUs are free: too few for bob, enough for alice's second job, which her limit keeps off them.
            MockAM bob = startAs(cluster, "bob", 6, node);
            second.allocate(SchedulerHarness.requests(two), List.of());
            cluster.awaitReason(
                    id(second),
                    "Gang 0/2: user alice may hold 1 GPU of queue root.ml, holds 4 GPUs, this gang needs 2 GPUs",
                    cluster::heartbeat);
            refusedNone();
            cluster.resourceManager.killApp(id(bob));
            assertEquals(2, cluster.awaitContainers(second).size(), "nobody else waits now");
        }
    }

    @Test
    void oneUserAloneMayTakeTheQueueBeyondItsGuarantee() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo+synergy-tune"))) {
            MockNM node = cluster.node(1001, 8, 43, 16384);
            assertEquals(
                    3,
                    cluster.awaitContainers(startAs(cluster, "alice", 3, node)).size());
            assertEquals(
                    5,
                    cluster.awaitContainers(startAs(cluster, "alice", 5, node)).size());
            refusedNone();
        }
    }

    @Test
    void limitForApplicationMastersIsTheReasonUntilItLetsTheMasterStart() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        conf.set(QUEUE + "maximum-am-resource-percent", "0.01");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 8, 43, 16384);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 256);
            cluster.awaitContainers(cluster.startGang(spec, node));
            ApplicationId waiting = cluster.submit("ml", spec.toProperties());
            cluster.resourceManager.waitForState(waiting, RMAppState.ACCEPTED);
            cluster.awaitTrue("CapacityScheduler's own words stay", () -> {
                cluster.heartbeat();
                return cluster.scheduler()
                        .gangs()
                        .find(waiting)
                        .orElseThrow()
                        .reason()
                        .contains("Queue's AM resource limit exceeded");
            });
            assertTrue(cluster.app(waiting).getDiagnostics().toString().contains("Queue's AM resource limit exceeded"));
        }
    }
}
