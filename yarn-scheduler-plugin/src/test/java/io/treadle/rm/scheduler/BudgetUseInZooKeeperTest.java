// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.BudgetUseRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.power.NodeRecords;
import io.treadle.rm.profile.ZkTelemetry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was used of energy budgets, from one ResourceManager to the next. */
class BudgetUseInZooKeeperTest {
    private static final BudgetUseRecord USED = new BudgetUseRecord(
            Optional.of(new BudgetUseRecord.Use("total:500", 7, 100, 200)),
            Map.of("root.ml", new BudgetUseRecord.Use("window:20/6h", 7, 3, 4)));

    private static final NodeRecords NOBODY = new NodeRecords() {
        @Override
        public void seen(String node, NodeRecord record) {}

        @Override
        public void gone(String node) {}
    };

    private TestZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private ZkTelemetry telemetry(Consumer<BudgetUseRecord> before) {
        Configuration conf = new Configuration(false);
        conf.set("hadoop.zk.address", zooKeeper.server.getConnectString());
        ZkTelemetry telemetry = new ZkTelemetry(SchedulerConf.from(conf), () -> {}, () -> {}, NOBODY, before);
        telemetry.start(job -> false);
        return telemetry;
    }

    /** Asked for when what stood there is known: what was noted before would overwrite it. */
    @Test
    void isReadBeforeItIsWritten() throws Exception {
        zooKeeper.write(ZkPaths.POWER_USED, USED.toJson());
        BlockingQueue<BudgetUseRecord> heard = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> heardWhenWritten = new LinkedBlockingQueue<>();
        try (ZkTelemetry telemetry = telemetry(heard::add)) {
            telemetry.keepBudgetUse(() -> {
                heardWhenWritten.add(heard.size());
                return BudgetUseRecord.EMPTY;
            });
            assertEquals(1, heardWhenWritten.poll(60, TimeUnit.SECONDS));
            assertEquals(USED, heard.poll(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void isThereForTheNext() throws Exception {
        BlockingQueue<BudgetUseRecord> first = new LinkedBlockingQueue<>();
        BlockingQueue<Optional<String>> stands = new LinkedBlockingQueue<>();
        try (ZkTelemetry telemetry = telemetry(first::add)) {
            BlockingQueue<String> asked = new LinkedBlockingQueue<>();
            telemetry.keepBudgetUse(() -> {
                asked.add("once");
                return USED;
            });
            assertEquals("once", asked.poll(60, TimeUnit.SECONDS));
            telemetry.keepBudgetUse(() -> {
                // On the same thread, after the first has been written.
                stands.add(zooKeeper.read(ZkPaths.POWER_USED));
                return USED;
            });
            assertEquals(Optional.of(USED.toJson()), stands.poll(60, TimeUnit.SECONDS));
        }
        assertEquals(0, first.size());
        BlockingQueue<BudgetUseRecord> second = new LinkedBlockingQueue<>();
        try (ZkTelemetry telemetry = telemetry(second::add)) {
            assertEquals(USED, second.poll(60, TimeUnit.SECONDS));
            zooKeeper.write(ZkPaths.POWER_USED, "nonsense");
        }
        try (ZkTelemetry telemetry = telemetry(second::add)) {
            BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();
            telemetry.keepBudgetUse(() -> {
                asked.add(second.size());
                return USED;
            });
            assertEquals(0, asked.poll(60, TimeUnit.SECONDS), "what cannot be read is nothing");
        }
    }
}
