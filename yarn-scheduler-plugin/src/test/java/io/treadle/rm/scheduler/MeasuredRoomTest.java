// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.StandingClock;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.bridge.PowerSight;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.ProfilingTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job gives back while it is measured. Three GPUs, 22 vcores, of which each ApplicationMaster has one. */
class MeasuredRoomTest {
    private Path rounds;
    private TestZooKeeper zooKeeper;
    private SchedulerHarness cluster;
    private MockNM node;
    private MockAM measured;
    private Container container;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        rounds = directory;
        zooKeeper = new TestZooKeeper();
        YarnConfiguration conf = zooKeeper.settings(false, "fifo+synergy-balanced");
        conf.set("yarn.scheduler.treadle.record-dir", rounds.toString());
        // See JobsInZooKeeperTest: an ApplicationMaster asks for an increase at the host's name.
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        cluster = SchedulerHarness.start(conf);
        node = cluster.node(1001, 3, 22, 8192);
        measured = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
        container = cluster.awaitContainers(measured).get(0);
        cluster.launch(List.of(container));
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        zooKeeper.close();
    }

    @Test
    void neighboursGrowIntoWhatItGivesBackOnlyWhenItsProfileIsKnown() throws Exception {
        MockAM neighbour = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
        Container beside = cluster.awaitContainers(neighbour).get(0);
        cluster.launch(List.of(beside));
        cluster.awaitTrue("each has its share, 6 of 20", () -> {
            pull(measured);
            pull(neighbour);
            return vcores(container) == 6 && vcores(beside) == 6;
        });
        zooKeeper.says(cluster, measured, ProfileRecord.Phase.PROFILING);
        resize(12);
        writeProfile(neighbour, Map.of(1L, 10.0, 14L, 140.0, 16L, 140.0));
        cluster.awaitTrue("the neighbour could use 14 and has what is left", () -> {
            pull(neighbour);
            return vcores(beside) == 8;
        });
        resize(7);
        cluster.awaitTrue(
                "a round has seen it smaller", () -> rounds().stream().anyMatch(r -> sizeIn(r, measured) == 7));
        writeProfile(measured, Map.of(1L, 10.0, 2L, 20.0, 8L, 20.0));
        cluster.awaitTrue("what it cannot use goes to its neighbour", () -> {
            pull(measured);
            pull(neighbour);
            return vcores(container) == 2 && vcores(beside) == 14;
        });
        for (SnapshotRecord round : rounds()) {
            assertTrue(
                    isProfiled(round, measured) || mostPlanned(round, neighbour) <= 8,
                    () -> "it grows while the other is measured: " + round.toJson());
        }
    }

    @Test
    void aGangThatWaitsFindsItsShare() throws Exception {
        zooKeeper.says(cluster, measured, ProfileRecord.Phase.PROFILING);
        resize(15);
        cluster.awaitTrue(
                "a round has seen it large", () -> rounds().stream().anyMatch(r -> sizeIn(r, measured) == 15));
        resize(2);
        // Of 20, 15 would be kept; while it waits 6 are, which leaves room for the 6 that it asks for.
        MockAM waiting = cluster.startGang(SchedulerHarness.gang(1, 1, 6, 512), node);
        Container started = cluster.awaitContainers(waiting).get(0);
        assertEquals(6, vcores(started));
        assertEquals(2, vcores(container));
    }

    @Test
    void aJobThatNeverSaysThatItIsReadyKeepsNothingForEver() {
        Gang gang = cluster.scheduler().gangs().find(id(measured)).orElseThrow();
        Says telemetry = new Says(id(measured));
        StandingClock clock = new StandingClock();
        ProfilingTime time = new ProfilingTime(telemetry, Duration.ofSeconds(60), clock);
        SnapshotBuilder builder = new SnapshotBuilder(
                cluster.scheduler().access(),
                telemetry,
                time,
                new MemoryWishes(telemetry, (job, wanted) -> {}),
                new PowerSight(cluster.scheduler().access(), telemetry, () -> PowerSight.Limits.NONE, 0),
                new GangReservations(),
                SchedulerConf.from(new Configuration(false)));
        assertEquals(7, vcores(container), "a third of 21");
        // Its ApplicationMaster has one of the node's 22.
        assertEquals(21, available(builder, List.of(gang), List.of()));
        time.mostHeld(id(measured).toString(), container.getId().toString(), 5);
        assertEquals(21, available(builder, List.of(gang), List.of()), "it has more than it had");
        time.mostHeld(id(measured).toString(), container.getId().toString(), 10);
        assertEquals(21 - 3, available(builder, List.of(gang), List.of()));
        assertEquals(21 - 7 - 3, available(builder, List.of(), List.of(gang)), "seen from another queue");
        time.mostHeld(id(measured).toString(), container.getId().toString(), 30);
        // One vcore is kept free for others: no more than the rest is kept.
        assertEquals(7 + 1, available(builder, List.of(gang), List.of()));
        clock.set(61);
        assertEquals(21, available(builder, List.of(gang), List.of()));
    }

    private static long available(SnapshotBuilder builder, List<Gang> gangs, List<Gang> others) {
        Snapshot snapshot = builder.build(SchedulerHarness.QUEUE, "", gangs, others, false, 0)
                .orElseThrow();
        return snapshot.nodes().get(0).available().vcores();
    }

    private List<SnapshotRecord> rounds() {
        Path file = rounds.resolve(SchedulerHarness.QUEUE + ".jsonl");
        try {
            List<SnapshotRecord> records = new ArrayList<>();
            String text = Files.exists(file) ? Files.readString(file) : "";
            // The last line may still be on its way.
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                records.add(SnapshotRecord.fromJson("round", line));
            }
            return records;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<JobView> job(SnapshotRecord round, MockAM am) {
        return round.snapshot().jobs().stream()
                .filter(job -> job.id().equals(id(am).toString()))
                .findFirst();
    }

    /** Vcores that its task has in the round; 0 without one. */
    private static long sizeIn(SnapshotRecord round, MockAM am) {
        return job(round, am).stream()
                .flatMap(job -> job.tasks().stream())
                .map(RunningTask::size)
                .mapToLong(ResourceVector::vcores)
                .sum();
    }

    /** Vcores that its task gets in the round, or keeps. */
    private static long mostPlanned(SnapshotRecord round, MockAM am) {
        SnapshotRecord.Change change = round.changes().get(id(am).toString());
        long changed = change == null
                ? 0
                : change.sizes().values().stream()
                        .mapToLong(ResourceVector::vcores)
                        .max()
                        .orElse(0);
        return Math.max(changed, sizeIn(round, am));
    }

    private static boolean isProfiled(SnapshotRecord round, MockAM am) {
        return job(round, am).flatMap(JobView::profile).isPresent();
    }

    private void writeProfile(MockAM am, Map<Long, Double> speeds) throws Exception {
        ProfileRecord record = new ProfileRecord(
                id(am).toString(),
                "",
                "",
                4,
                ProfileRecord.Phase.READY,
                1,
                speeds.entrySet().stream()
                        .map(e -> new ProfileRecord.Point(e.getKey(), 0, e.getValue(), 5))
                        .toList(),
                1);
        zooKeeper.write(ZkPaths.profile(id(am).toString()), record.toJson());
    }

    /** As the job's own ApplicationMaster does it. */
    private void resize(long vcores) throws InterruptedException {
        cluster.awaitTrue(vcores + " vcores", () -> {
            long has = vcores(container);
            RMContainer known = cluster.scheduler().getRMContainer(container.getId());
            UpdateContainerRequest request = UpdateContainerRequest.newInstance(
                    known.getContainer().getVersion(),
                    container.getId(),
                    has < vcores ? ContainerUpdateType.INCREASE_RESOURCE : ContainerUpdateType.DECREASE_RESOURCE,
                    YarnResources.resource(ResourceVector.of(1, vcores, 512)),
                    null);
            AllocateRequest heartbeat = AllocateRequest.newInstance(0, 0, List.of(), List.of(), null);
            heartbeat.setUpdateRequests(has == vcores ? List.of() : List.of(request));
            try {
                measured.allocate(heartbeat);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            cluster.heartbeat();
            return vcores(container) == vcores;
        });
    }

    private void pull(MockAM am) {
        try {
            cluster.pull(am);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private long vcores(Container of) {
        return cluster.scheduler()
                .getRMContainer(of.getId())
                .getAllocatedResource()
                .getVirtualCores();
    }

    private static ApplicationId id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }

    private static final class Says extends NoTelemetry {
        private final ApplicationId measured;

        Says(ApplicationId measured) {
            this.measured = measured;
        }

        @Override
        public Optional<ProfileRecord> profile(String applicationId) {
            return Optional.of(
                    new ProfileRecord(measured.toString(), "", "", 0, ProfileRecord.Phase.PROFILING, 1, List.of(), 1));
        }
    }
}
