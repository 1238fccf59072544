// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Memory beyond what is asked for: who gets it, and how it is given back. */
class MemoryInSharesTest {
    private static final long GIB = 1L << 30;
    /** 100 MB/s from storage are 93 samples/s; with all of it in memory nothing is read. */
    private static final ProfileDataset DATA = new ProfileDataset(6 * GIB, 6 * 1000, 5000, 100, 256);
    /** All of the dataset, and the working memory. */
    private static final long ALL_MIB = 256 + 6 * 1024;

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    @Test
    void aCacheGrowsIntoWhatIsFreeAndShrinksOnlyWhenItsWorkerSaysSo() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-balanced")) {
            MockNM node = cluster.node(1001, 2, 10, 9_216);
            MockAM reader = reader(cluster, node);
            Container cached = launched(cluster, reader);
            String job = id(reader);
            assertEquals(512, memory(cluster, cached), "nobody knows yet that it reads");
            says(profile(job, Optional.of(DATA)));
            await(cluster, "it has room for all that it reads", reader, () -> memory(cluster, cached) == ALL_MIB);
            assertEquals(Optional.empty(), zooKeeper.read(ZkPaths.memoryWanted(job)), "nothing is wanted back");

            // As much as its share: the reader has to make way. What it asks for is not there before.
            GangSpec wide = SchedulerHarness.gang(1, 1, 1, 3_520);
            MockAM rival = cluster.startGang(wide, node);
            MemoryLimit wanted = awaitWanted(cluster, reader, job, cached);
            assertTrue(wanted.memoryMiB() >= 512 && wanted.memoryMiB() < ALL_MIB, wanted::toString);
            for (int i = 0; i < 5; i++) {
                cluster.heartbeat();
                cluster.pull(reader);
                assertTrue(cluster.pull(rival).isEmpty(), "it starts before there is room");
            }
            assertEquals(ALL_MIB, memory(cluster, cached), "it shrinks before its cache has");
            answer(job, cached, new MemoryLimit(wanted.version() - 1, 512));
            for (int i = 0; i < 5; i++) {
                cluster.heartbeat();
                cluster.pull(reader);
            }
            assertEquals(ALL_MIB, memory(cluster, cached), "the answer was to something else");

            // It needs a little more than it was to make do with: one of YARN's increments.
            long needs = wanted.memoryMiB() + 64;
            answer(job, cached, new MemoryLimit(wanted.version(), needs));
            await(cluster, "it shrinks as far as it can", reader, () -> memory(cluster, cached) == needs);
            answer(job, cached, wanted);
            Container started = awaitContainer(cluster, rival, reader);
            assertEquals(3_520, memory(cluster, started));
            // What is wanted may have changed as the other came; a worker answers what it reads last.
            await(cluster, "it shrinks to what is wanted", reader, () -> {
                MemoryLimit now = wanted(job, cached);
                if (now.equals(MemoryLimit.NONE)) {
                    return memory(cluster, cached) <= needs;
                }
                answerQuietly(job, cached, now);
                return memory(cluster, cached) == now.memoryMiB();
            });
            assertEquals(
                    cached.getId(),
                    cluster.scheduler().getRMContainer(cached.getId()).getContainerId(),
                    "it is the same container");
        }
    }

    @Test
    void memoryThatSomebodyElseWaitsForIsWantedBack() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-balanced")) {
            MockNM node = cluster.node(1001, 1, 10, 8_192);
            MockAM reader = reader(cluster, node);
            Container cached = launched(cluster, reader);
            String job = id(reader);
            says(profile(job, Optional.of(DATA)));
            long full = 8_192 - 1_024 - cluster.used().memoryMiB() + 512;
            await(
                    cluster,
                    "all but the spare is its",
                    reader,
                    () -> memory(cluster, cached) == Math.min(full, ALL_MIB));

            ResourceRequest map = ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(5))
                    .resourceName(ResourceRequest.ANY)
                    .capability(YarnResources.resource(io.treadle.core.resource.ResourceVector.of(0, 1, 2_048)))
                    .numContainers(1)
                    .relaxLocality(true)
                    .build();
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(map), node);
            answer(job, cached, awaitWanted(cluster, plain, job, cached));
            assertEquals(2_048, memory(cluster, awaitContainer(cluster, plain, reader)));
        }
    }

    @Test
    void aJobThatReadsNothingKeepsTheMemoryThatItAskedFor() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-balanced")) {
            MockNM node = cluster.node(1001, 2, 10, 8_192);
            MockAM reader = reader(cluster, node);
            Container container = launched(cluster, reader);
            String job = id(reader);
            says(profile(job, Optional.empty()));
            await(
                    cluster,
                    "its profile is known",
                    reader,
                    () -> cluster.scheduler()
                                    .getRMContainer(container.getId())
                                    .getAllocatedResource()
                                    .getVirtualCores()
                            == 4);
            assertEquals(512, memory(cluster, container));
        }
    }

    @Test
    void pointsThatNoNodeHasGiveNoMoreThanThereIs() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-balanced")) {
            MockNM node = cluster.node(1001, 1, 10, 8_192);
            MockAM reader = reader(cluster, node);
            Container container = launched(cluster, reader);
            String job = id(reader);
            // A petabyte, at speeds measured on nodes of 1000 cores.
            ProfileDataset huge = new ProfileDataset(1L << 50, 1L << 30, 5000, 100, 256);
            ProfileRecord profile = profile(job, Optional.of(huge))
                    .withPoints(
                            List.of(
                                    new ProfileRecord.Point(1, 1L << 30, 300, 5),
                                    new ProfileRecord.Point(1000, 1L << 30, 3_000, 5)),
                            1);
            says(profile);
            // All but the spare and the ApplicationMaster.
            await(cluster, "it has all that there is", reader, () -> memory(cluster, container) == 8_192 - 1_024 - 128);
            assertTrue(cluster.used().memoryMiB() <= 8_192 && cluster.used().vcores() <= 10, cluster.used()::describe);
        }
    }

    private static MockAM reader(SchedulerHarness cluster, MockNM node) throws Exception {
        return cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
    }

    private static Container launched(SchedulerHarness cluster, MockAM reader) throws Exception {
        Container container = cluster.awaitContainers(reader).get(0);
        cluster.launch(List.of(container));
        return container;
    }

    /** Its ApplicationMaster does. */
    private void says(ProfileRecord profile) throws Exception {
        zooKeeper.write(ZkPaths.profile(profile.applicationId()), profile.toJson());
    }

    private MemoryLimit awaitWanted(SchedulerHarness cluster, MockAM am, String job, Container container)
            throws InterruptedException {
        await(cluster, "memory is wanted back", am, () -> wanted(job, container).memoryMiB() > 0);
        return wanted(job, container);
    }

    /** Measured with all of it in memory, where it had it. */
    private static ProfileRecord profile(String job, Optional<ProfileDataset> dataset) {
        return new ProfileRecord(
                        job,
                        "",
                        "",
                        4,
                        ProfileRecord.Phase.READY,
                        1,
                        List.of(
                                new ProfileRecord.Point(1, ALL_MIB, 500, 5),
                                new ProfileRecord.Point(4, ALL_MIB, 2000, 5),
                                new ProfileRecord.Point(8, ALL_MIB, 2000, 5)),
                        1)
                .withDataset(dataset);
    }

    private MemoryLimit wanted(String job, Container container) {
        return zooKeeper
                .read(ZkPaths.memoryWanted(job))
                .map(text -> MemoryRecord.fromJson("wanted", text).containers())
                .map(all -> all.get(container.getId().toString()))
                .orElse(MemoryLimit.NONE);
    }

    private void answer(String job, Container container, MemoryLimit given) throws Exception {
        zooKeeper.write(
                ZkPaths.memoryGiven(job),
                new MemoryRecord(Map.of(container.getId().toString(), given)).toJson());
    }

    private void answerQuietly(String job, Container container, MemoryLimit given) {
        try {
            answer(job, container, given);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Container awaitContainer(SchedulerHarness cluster, MockAM am, MockAM other) throws Exception {
        List<Container> got = new java.util.ArrayList<>();
        await(cluster, "it gets its container", other, () -> {
            cluster.pull(am).forEach(got::add);
            return !got.isEmpty();
        });
        return got.get(0);
    }

    private static void await(
            SchedulerHarness cluster, String what, MockAM am, java.util.function.BooleanSupplier condition)
            throws InterruptedException {
        cluster.awaitTrue(what, () -> {
            cluster.pull(am);
            return condition.getAsBoolean();
        });
    }

    private static String id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId().toString();
    }

    private static long memory(SchedulerHarness cluster, Container container) {
        return cluster.scheduler()
                .getRMContainer(container.getId())
                .getAllocatedResource()
                .getMemorySize();
    }
}
