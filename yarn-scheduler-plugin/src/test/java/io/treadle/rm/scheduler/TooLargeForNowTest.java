// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.GangSpec;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A job is refused only where the cluster is complete and too small. Otherwise it waits. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class TooLargeForNowTest {
    private final boolean asynchronous;

    TooLargeForNowTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private static final String SETTLE = "yarn.scheduler.treadle.refuse-too-large.settle-seconds";
    private static final GangSpec GANG = SchedulerHarness.gang(4, 2, 1, 512);

    @Test
    void jobThatIsSubmittedWhileNodesRegisterStartsOnceTheyHave() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set(SETTLE, "600");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = cluster.node(1001, 2, 8, 8192);
            ApplicationId id = cluster.submit("ml", GANG.toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.ACCEPTED);
            assertEquals(
                    "task group 'worker' needs 4 × (2 GPUs, 1 vcore, 512 MiB), the whole cluster has room for 1; the most"
                            + " on any node is 2 GPUs, 8 vcores, 8192 MiB. It waits: nodes may still register.",
                    cluster.scheduler().gangs().find(id).orElseThrow().reason());
            assertEquals(
                    Optional.of("nodes may still register"), cluster.scheduler().mayGrow());
            MockAM am = cluster.startApp(id, SchedulerHarness.requests(GANG), first);
            cluster.awaitTrue("its reason tells what is there", () -> {
                cluster.heartbeat();
                return cluster.scheduler()
                        .gangs()
                        .find(id)
                        .orElseThrow()
                        .reason()
                        .startsWith("Gang 0/4: ");
            });
            for (int node = 2; node <= 4; node++) {
                cluster.node(1000 + node, 2, 8, 8192);
            }
            assertEquals(4, cluster.awaitContainers(am).size());
        }
    }

    /** The queue's limit is a share of what has registered. */
    @Test
    void jobAboveItsQueuesShareWaitsWhileNodesRegister() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.ml.maximum-capacity", "50");
        conf.set(SETTLE, "600");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = cluster.node(1001, 4, 16, 8192);
            GangSpec spec = SchedulerHarness.gang(4, 1, 1, 512);
            MockAM am = cluster.startGang(spec, first);
            cluster.node(1002, 4, 16, 8192);
            assertEquals(4, cluster.awaitContainers(am).size());
        }
    }

    @Test
    void jobThatNeedsARackInMaintenanceWaits() throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"))) {
            MockNM first = cluster.node(1001, 4, 8, 8192);
            MockNM second = cluster.node(1002, 4, 8, 8192);
            cluster.lose(second);
            ApplicationId id = cluster.submit("ml", GANG.toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.ACCEPTED);
            String reason = cluster.scheduler().gangs().find(id).orElseThrow().reason();
            assertTrue(
                    reason.endsWith("It waits: the cluster had 8 GPUs, 16 vcores, 16384 MiB and has 4 GPUs, 8 vcores,"
                            + " 8192 MiB now."),
                    reason);
            MockAM am = cluster.startApp(id, SchedulerHarness.requests(GANG), first);
            cluster.node(1003, 4, 8, 8192);
            assertEquals(4, cluster.awaitContainers(am).size());
        }
    }

    @Test
    void jobIsRefusedWhereTheClusterIsComplete() throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"))) {
            cluster.node(1001, 4, 8, 8192);
            ApplicationId id = cluster.submit("ml", GANG.toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.FAILED);
            assertEquals(Optional.empty(), cluster.scheduler().mayGrow(), "so clients refuse it, too");
        }
    }

    @Test
    void nothingIsRefusedWhereMachinesAreAddedOnDemand() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = cluster.node(1001, 4, 8, 8192);
            MockAM am = cluster.startGang(GANG, first);
            cluster.node(1002, 4, 8, 8192);
            assertEquals(4, cluster.awaitContainers(am).size());
        }
    }
}
