// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.StartingDraw;
import io.treadle.rm.power.ClusterDraw;
import io.treadle.rm.power.Owner;
import io.treadle.rm.power.PowerBudgets;
import io.treadle.rm.power.PowerReport;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.Telemetry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Budgets that outlive the ResourceManager, and whose energy nodes have counted. */
class PowerInZooKeeperTest {
    private TestZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private static PowerBudgets budgets(SchedulerHarness cluster) {
        return cluster.scheduler().power().budgets();
    }

    @Test
    void budgetsThatAnAdministratorSetsOutliveTheResourceManager() throws Exception {
        YarnConfiguration conf = zooKeeper.settings(false, "fifo");
        conf.set("yarn.scheduler.capacity.root.ml.treadle.power-budget-watts", "1kW");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            assertEquals(OptionalDouble.of(1000), budgets(cluster).queueWatts("root.ml"));
            cluster.awaitTrue("ZooKeeper is there", () -> isSet(cluster, 5000));
            assertEquals(OptionalDouble.of(5000), budgets(cluster).clusterWatts());
            budgets(cluster).setQueue("root.ml", Optional.of(OptionalDouble.of(700)));
            assertEquals(OptionalDouble.of(700), budgets(cluster).queueWatts("root.ml"));
            assertEquals(List.of(), budgets(cluster).warnings());
            budgets(cluster).set(record -> record.withQueueEnergy("root.ml", Optional.of("total:500")));
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            cluster.awaitTrue(
                    "what was set is read",
                    () -> budgets(cluster).queueWatts("root.ml").equals(OptionalDouble.of(700)));
            assertEquals(OptionalDouble.of(5000), budgets(cluster).clusterWatts());
            assertEquals(
                    "500 kWh in all",
                    budgets(cluster)
                            .now()
                            .energy("root.ml")
                            .orElseThrow()
                            .budget()
                            .words());
            zooKeeper.write(ZkPaths.POWER_BUDGETS, "{\"schema\":9}");
            String refused = String.valueOf(assertThrows(
                            IOException.class, () -> budgets(cluster).setCluster(Optional.of(OptionalDouble.of(1))))
                    .getMessage());
            assertTrue(refused.contains("schema 9"), refused);
            assertEquals(OptionalDouble.of(5000), budgets(cluster).clusterWatts());
            zooKeeper.write(
                    ZkPaths.POWER_BUDGETS,
                    PowerBudgetsRecord.EMPTY
                            .withCluster(Optional.of(OptionalDouble.of(6000)))
                            .toJson());
            cluster.awaitTrue(
                    "another's change is read",
                    () -> budgets(cluster).clusterWatts().equals(OptionalDouble.of(6000)));
            assertEquals(OptionalDouble.of(1000), budgets(cluster).queueWatts("root.ml"));
            zooKeeper.delete(ZkPaths.POWER_BUDGETS);
            cluster.awaitTrue(
                    "the settings count again",
                    () -> budgets(cluster).clusterWatts().isEmpty());
        }
    }

    @Test
    void clustersThatShareAZooKeeperHaveBudgetsOfTheirOwn() throws Exception {
        YarnConfiguration conf = zooKeeper.settings(false, "fifo");
        conf.set(YarnConfiguration.RM_CLUSTER_ID, "alpha");
        zooKeeper.write(
                ZkPaths.POWER_BUDGETS,
                PowerBudgetsRecord.EMPTY
                        .withCluster(Optional.of(OptionalDouble.of(6000)))
                        .toJson());
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            cluster.awaitTrue("ZooKeeper is there", () -> isSet(cluster, 5000));
            assertTrue(
                    zooKeeper.read("/treadle/power-budgets@alpha").orElseThrow().contains("5000"));
            assertTrue(zooKeeper.read(ZkPaths.POWER_BUDGETS).orElseThrow().contains("6000"));
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            cluster.awaitTrue(
                    "its own is read", () -> budgets(cluster).clusterWatts().equals(OptionalDouble.of(5000)));
        }
    }

    private static boolean isSet(SchedulerHarness cluster, double watts) {
        try {
            return budgets(cluster).setCluster(Optional.of(OptionalDouble.of(watts)));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void energyGoesToTheJobAndToOtherApplications() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            MockNM node = cluster.node(1001, 2, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            String held =
                    ContainerId.newContainerId(am.getApplicationAttemptId(), 2).toString();
            String name = node.getNodeId().toString();
            zooKeeper.write(ZkPaths.node(name), record(name, held).toJson());
            cluster.awaitTrue("the node's record is read", () -> report(cluster).joules() == 90);
            PowerReport report = report(cluster);
            assertEquals(800, report.draw().watts());
            assertEquals(id.toString(), report.jobs().get(0).owner().application());
            assertEquals(70, report.jobs().get(0).joules());
            assertEquals(250, report.jobs().get(0).watts());
            PowerReport.Queue queue = report.queues().stream()
                    .filter(q -> q.path().equals("root.ml"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(70, queue.joules());
            assertEquals(1, queue.jobs());

            cluster.resourceManager.killApp(id);
            cluster.awaitTrue(
                    "the job is gone",
                    () -> cluster.scheduler().gangs().find(id).isEmpty());
            assertEquals(
                    70,
                    cluster.scheduler().power().job(id.toString()).orElseThrow().joules());
            cluster.resourceManager.sendNodeLost(node);
            cluster.resourceManager.drainEvents();
            zooKeeper.delete(ZkPaths.node(name));
            cluster.awaitTrue(
                    "the node is not counted", () -> report(cluster).draw().watts() == 0);
            assertTrue(report(cluster).warnings().isEmpty());
        }
    }

    /** Of 400 W a GPU, of which the node has seen the half. */
    @Test
    void whatHasJustStartedCountsWithWhatItMayDraw() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            MockNM node = cluster.node(1001, 2, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            Container started = cluster.awaitContainers(am).get(0);
            long createdMs = cluster.resourceManager
                    .getResourceScheduler()
                    .getRMContainer(started.getId())
                    .getCreationTime();
            String name = node.getNodeId().toString();
            NodeRecord silent = record(name, "another");
            NodeRecord heard = record(name, started.getId().toString());
            ClusterDraw drawn = new ClusterDraw(800, 0, 0, Map.of("root.ml", 250.0), Map.of(), List.of());
            assertEquals(
                    400,
                    starting(cluster, silent, createdMs)
                            .with(ClusterDraw.NOTHING)
                            .under("root.ml"));
            assertEquals(
                    400,
                    starting(cluster, heard, createdMs + 59_999).with(drawn).under("root.ml"));
            assertEquals(
                    250,
                    starting(cluster, heard, createdMs + 60_000).with(drawn).under("root.ml"));
        }
    }

    private static StartingDraw starting(SchedulerHarness cluster, NodeRecord record, long nowMs) {
        Telemetry telemetry = new NoTelemetry() {
            @Override
            public boolean knowsNodes() {
                return true;
            }

            @Override
            public Optional<NodeRecord> node(String nodeId) {
                return Optional.of(record);
            }
        };
        return new StartingDraw(
                cluster.scheduler().access(),
                telemetry,
                application -> Optional.of(new Owner(application, "somebody", "root.ml")),
                () -> Instant.ofEpochMilli(nowMs));
    }

    private static PowerReport report(SchedulerHarness cluster) {
        return cluster.scheduler().power().report(cluster.scheduler().report().leafQueues());
    }

    private static NodeRecord record(String node, String container) {
        return new NodeRecord(
                node,
                1,
                List.of(new NodeRecord.Device(
                        "GPU-0",
                        0,
                        "A100",
                        40960,
                        true,
                        NodeRecord.Health.OK,
                        250,
                        400,
                        0,
                        0,
                        30,
                        0,
                        List.of(container))),
                Optional.of(new NodePower(800, "model", 0, 90_000, 20_000, Map.of(container, 70_000L), 0)));
    }
}
