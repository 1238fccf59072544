// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.power.NodeRecords;
import io.treadle.rm.profile.ZkTelemetry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes said of themselves, when they are gone. */
class ForgottenNodesTest {
    private static final String NODE = "n1:45454";
    private static final String RECORD = new NodeRecord(NODE, 1, List.of()).toJson();

    private final Set<String> gone = ConcurrentHashMap.newKeySet();
    private TestZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private ZkTelemetry telemetry() {
        Configuration conf = new Configuration(false);
        conf.set("hadoop.zk.address", zooKeeper.server.getConnectString());
        NodeRecords records = new NodeRecords() {
            @Override
            public void seen(String node, NodeRecord record) {}

            @Override
            public void gone(String node) {
                gone.add(node);
            }
        };
        return new ZkTelemetry(SchedulerConf.from(conf), () -> {}, () -> {}, records, used -> {});
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                Assertions.fail(what + " did not come within 60 s");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Its NodeManager died while no ResourceManager was there. */
    @Test
    void nodeThatYarnNeverKnewIsForgottenWithItsRecord() throws Exception {
        try (ZkTelemetry telemetry = telemetry()) {
            telemetry.start(job -> false);
            zooKeeper.write(ZkPaths.node(NODE), RECORD);
            await("the record", () -> telemetry.node(NODE).isPresent());
            zooKeeper.delete(ZkPaths.node(NODE));
            await("its end", () -> telemetry.node(NODE).isEmpty());
            await("that it draws nothing", () -> gone.contains(NODE));
        }
    }

    @Test
    void nodeThatYarnHasKeepsItsDevicesWithoutItsRecord() throws Exception {
        try (ZkTelemetry telemetry = telemetry()) {
            telemetry.start(job -> false);
            telemetry.nodeAdded(NODE);
            zooKeeper.write(ZkPaths.node(NODE), RECORD);
            zooKeeper.write(ZkPaths.node("n2:45454"), RECORD);
            await(
                    "the records",
                    () -> telemetry.node(NODE).isPresent()
                            && telemetry.node("n2:45454").isPresent());
            zooKeeper.delete(ZkPaths.node(NODE));
            zooKeeper.delete(ZkPaths.node("n2:45454"));
            await("the end of the other", () -> telemetry.node("n2:45454").isEmpty());
            assertTrue(telemetry.node(NODE).isPresent());
            telemetry.nodeRemoved(NODE);
            await("its end", () -> telemetry.node(NODE).isEmpty());
        }
    }
}
