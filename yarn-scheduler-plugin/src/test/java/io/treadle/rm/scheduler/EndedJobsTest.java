// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.power.NodeRecords;
import io.treadle.rm.profile.JobStage;
import io.treadle.rm.profile.ZkTelemetry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing stays of jobs that are over, neither in ZooKeeper nor in the ResourceManager. */
class EndedJobsTest {
    private static final String JOB = "application_1_0001";
    private static final String PROGRESS = new JobProgressRecord(5, 10, 1, 0, "training", 7).toJson();
    private static final GangSpec SPEC = new GangSpec(
            List.of(new GangSpec.Group("worker", 1, 1, ResourceVector.of(1, 1, 512), List.of())),
            "resnet",
            0,
            0,
            false,
            0,
            "");

    private TestZooKeeper zooKeeper;

    private static final NodeRecords NOBODY = new NodeRecords() {
        @Override
        public void seen(String node, NodeRecord record) {}

        @Override
        public void gone(String node) {}
    };

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
        return new ZkTelemetry(SchedulerConf.from(conf), () -> {}, () -> {}, NOBODY, used -> {});
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

    @Test
    void whatAnApplicationMasterWritesAfterItsJobIsForgotten() throws Exception {
        try (ZkTelemetry telemetry = telemetry()) {
            telemetry.start(job -> false);
            telemetry.jobAdded(JOB, SPEC);
            zooKeeper.write(ZkPaths.progress(JOB), PROGRESS);
            await("progress", () -> telemetry.progress(JOB).isPresent());
            telemetry.jobRemoved(JOB, "ada", SPEC);
            await("removal", () -> zooKeeper.read(ZkPaths.job(JOB)).isEmpty());
            // As one of an older version does: it makes its node again.
            zooKeeper.write(ZkPaths.progress(JOB), PROGRESS);
            await("late progress", () -> telemetry.progress(JOB).isPresent());
            zooKeeper.delete(ZkPaths.job(JOB));
            await("end of it", () -> telemetry.progress(JOB).isEmpty());
        }
    }

    @Test
    void onWhatNodesAJobReadIsKeptWithItsProfile() throws Exception {
        try (ZkTelemetry telemetry = telemetry()) {
            telemetry.start(job -> false);
            telemetry.jobAdded(JOB, SPEC);
            telemetry.jobPlaced(JOB, "ada", SPEC, "A100", JobStage.STARTS);
            telemetry.jobReadsAt(JOB, 812);
            ProfileDataset data = new ProfileDataset(1L << 30, 1000, 5000, 250, 100);
            zooKeeper.write(
                    ZkPaths.profile(JOB),
                    new ProfileRecord(
                                    JOB,
                                    SPEC.modelTag(),
                                    "",
                                    32,
                                    ProfileRecord.Phase.READY,
                                    1,
                                    List.of(new ProfileRecord.Point(1, 512, 50, 5)),
                                    // Measured now: of long ago it would be stored and forgotten at once.
                                    System.currentTimeMillis())
                            .withDataset(Optional.of(data))
                            .toJson());
            await("profile", () -> telemetry.profile(JOB).isPresent());
            telemetry.jobRemoved(JOB, "ada", SPEC);
            String path = ZkPaths.PROFILES + "/ada/resnet/A100/32";
            await("stored profile", () -> zooKeeper.read(path).isPresent());
            assertEquals(
                    Optional.of(data.measuredOn(812)),
                    ProfileRecord.fromJson(path, zooKeeper.read(path).orElseThrow())
                            .dataset());
        }
    }

    @Test
    void aJobThatIsPlacedAfterItsEndGetsNoNode() throws Exception {
        try (ZkTelemetry telemetry = telemetry()) {
            telemetry.start(job -> false);
            telemetry.jobAdded(JOB, SPEC);
            telemetry.jobRemoved(JOB, "ada", SPEC);
            telemetry.jobPlaced(JOB, "ada", SPEC, "A100", JobStage.STARTS);
            telemetry.jobAdded("application_1_0002", SPEC);
            // Written one after the other.
            await(
                    "the next job",
                    () -> zooKeeper.read(ZkPaths.job("application_1_0002")).isPresent());
            assertEquals(Optional.empty(), zooKeeper.read(ZkPaths.job(JOB)));
        }
    }

    @Test
    void whatAKilledResourceManagerLeftGoesWithTheNextStart() throws Exception {
        zooKeeper.write(ZkPaths.progress(JOB), PROGRESS);
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-tune")) {
            cluster.awaitTrue("removal", () -> zooKeeper.read(ZkPaths.job(JOB)).isEmpty());
        }
    }
}
