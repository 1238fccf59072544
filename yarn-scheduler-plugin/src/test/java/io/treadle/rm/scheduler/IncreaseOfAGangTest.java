// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.GangPreemptionPolicy;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gang's container is to grow by asks for nothing else. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class IncreaseOfAGangTest {
    private final boolean asynchronous;

    IncreaseOfAGangTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private YarnConfiguration settings() {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("hadoop.zk.address", zooKeeper.server.getConnectString());
        return conf;
    }

    /** Hadoop asks again for what ends before it was fetched: here that would be one more task, of the increase's size. */
    @Test
    void oneThatEndsWithItsNodeIsNoTask() throws Exception {
        YarnConfiguration conf = settings();
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM masters = cluster.node(1001, 0, 1, 1024);
            GangSpec spec = SchedulerHarness.gang(1, 0, 4, 512);
            MockAM am = cluster.startApp("ml", spec.toProperties(), List.of(), masters);
            // The ApplicationMaster has its place: it stays when the other node goes.
            MockNM node = cluster.node(1002, 1, 9, 8192);
            cluster.ask(am, SchedulerHarness.requests(spec));
            Container worker = cluster.awaitRunning(am);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            ContainerResizer resizer = PlannedByHand.resizer(cluster.scheduler().access());
            Map<String, ResourceVector> sizes = Map.of(worker.getId().toString(), ResourceVector.of(0, 6, 512));
            assertEquals(
                    1,
                    resizer.grow(cluster.scheduler().gangs().find(id).orElseThrow(), sizes, 0),
                    "it grows, and its ApplicationMaster does not ask");
            cluster.lose(node);
            FiCaSchedulerApp app = cluster.scheduler().access().app(id).orElseThrow();
            int asked = app.getSchedulerKeys().stream()
                    .mapToInt(key -> app.getPendingAsk(key, ResourceRequest.ANY).getCount())
                    .sum();
            assertEquals(0, asked);
            assertEquals(0, cluster.scheduler().getRootQueueMetrics().getPendingContainers());
        }
    }

    /**
     * It waits on one node and is never reserved room: what preemption freed for it would go to the application that it was taken
     * from, again and again.
     */
    @Test
    void isNoDemandForPreemption() throws Exception {
        YarnConfiguration conf = settings();
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
        // The ResourceManager's own monitor stays away.
        conf.setLong(CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL, 600_000);
        conf.setFloat(CapacitySchedulerConfiguration.PREEMPTION_NATURAL_TERMINATION_FACTOR, 1);
        conf.setFloat(CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, 1);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 1, 16, 16_384);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 0, 4, 512), node);
            Container worker = cluster.awaitRunning(am);
            MockAM plain =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 20), node);
            List<Container> others = cluster.awaitContainers(plain, 10);
            cluster.launch(others);
            assertEquals(16, cluster.used().vcores());
            zooKeeper.says(cluster, am, ProfileRecord.Phase.PROFILING);
            am.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                    worker.getVersion(),
                    worker.getId(),
                    ContainerUpdateType.INCREASE_RESOURCE,
                    YarnResources.resource(ResourceVector.of(0, 6, 512)),
                    null)));
            var context = cluster.resourceManager.getRMContext();
            var stock =
                    new ProportionalCapacityPreemptionPolicy(context, cluster.scheduler(), SystemClock.getInstance());
            stock.editSchedule();
            assertFalse(stock.getToPreemptContainers().isEmpty(), "a claim that YARN would serve");
            var ours = new GangPreemptionPolicy(context, cluster.scheduler(), SystemClock.getInstance());
            ours.editSchedule();
            assertEquals(Map.of(), ours.getToPreemptContainers());
            // What the policy does not see is still there.
            FiCaSchedulerApp app = cluster.scheduler()
                    .access()
                    .app(am.getApplicationAttemptId().getApplicationId())
                    .orElseThrow();
            assertEquals(2, app.getAppAttemptResourceUsage().getPending("").getVirtualCores());
        }
    }
}
