// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Speed is measured by resizes in place, and once. */
class JobMasterProfilingTest {
    @Test
    void profilesByResizesInPlaceAndThenLeavesTheSizesAlone() throws RefusedException {
        FakeCluster profiled = new FakeCluster(FakeCluster.job(2, 2, true));
        profiled.start();
        List<String> containers = profiled.grant(1, 2);
        profiled.run(120);
        ProfileRecord last = profiled.profiles.get(profiled.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.PROFILING, profiled.profiles.get(0).phase());
        assertEquals(ProfileRecord.Phase.READY, last.phase());
        for (ProfileRecord.Point point : last.points()) {
            assertEquals(20.0 * point.vcores(), point.samplesPerSecond(), 2.0 * point.vcores());
        }
        assertTrue(last.points().size() >= 4, last.points().toString());
        assertEquals(64, profiled.runner(containers.get(0)).vcores, "the largest; what it cannot use is taken from it");
        assertEquals(1, profiled.runner(containers.get(0)).starts);
        assertTrue(profiled.master.status().resizes().stream()
                .allMatch(r -> r.path("by").asText().equals("profiler")));
        int resizes = profiled.resized.size();
        profiled.runner(containers.get(0)).vcores = 3;
        profiled.runner(containers.get(0)).version++;
        profiled.run(60);
        assertEquals(resizes, profiled.resized.size());
        assertEquals(
                "scheduler",
                profiled.master
                        .status()
                        .resizes()
                        .get(profiled.master.status().resizes().size() - 1)
                        .path("by")
                        .asText());
    }

    @Test
    void anIncreaseThatIsNotGrantedIsCalledOff() throws RefusedException {
        FakeCluster stingy = new FakeCluster(FakeCluster.job(1, 2, true));
        stingy.mostVcores = 6;
        stingy.start();
        String container = stingy.grant(1, 1).get(0);
        stingy.run(60);
        ProfileRecord last = stingy.profiles.get(stingy.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, last.phase());
        assertEquals(6, stingy.runner(container).vcores);
    }

    @Test
    void whatAllWorkersReadGoesIntoTheProfile() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(2, 2, true));
        List<String> workers = cluster.startGang(2);
        cluster.runner(workers.get(0)).data = Optional.of(data(600, 6, 2000, 100));
        cluster.run(20);
        assertTrue(cluster.profiles.stream().allMatch(p -> p.dataset().isEmpty()), "one worker has said nothing");
        cluster.runner(workers.get(1)).data = Optional.of(data(500, 5, 0, 200));
        cluster.run(20);
        // Parts of a dataset add up; bandwidths are those of one worker, on average over those that know theirs.
        ProfileDataset all = new ProfileDataset(1100, 11, 2000, 150, 64);
        assertEquals(Optional.of(all), last(cluster).dataset());
        int before = cluster.profiles.size();
        cluster.runner(workers.get(1)).data = Optional.of(data(700, 7, 0, 200));
        cluster.run(20);
        assertEquals(1300, last(cluster).dataset().orElseThrow().bytes(), "a dataset that grows is followed");
        assertTrue(cluster.profiles.size() > before);
        cluster.runner(workers.get(0)).data = Optional.of(data(1L << 59, 6, 1, 1));
        cluster.runner(workers.get(1)).data = Optional.of(data((1L << 59) + 1000, 6, 1, 1));
        cluster.run(20);
        assertEquals(1300, last(cluster).dataset().orElseThrow().bytes(), "more than can be is not believed");
    }

    private static DataReport data(long bytes, long samples, double memoryMBps, double diskMBps) {
        return new DataReport(bytes, samples, 0, 64, OptionalDouble.empty(), 0, memoryMBps, diskMBps);
    }

    private static ProfileRecord last(FakeCluster cluster) {
        return cluster.profiles.get(cluster.profiles.size() - 1);
    }

    @Test
    void aKnownProfileIsPublishedAtOnce() throws RefusedException {
        FakeCluster known = new FakeCluster(FakeCluster.job(1, 2, true));
        known.master.start(Optional.empty(), List.of());
        known.grant(1, 1);
        known.run(5);
        assertEquals(ProfileRecord.Phase.PROFILING, known.profiles.get(0).phase(), "until then nobody else resizes it");
        assertTrue(known.resized.isEmpty());
        known.master.onKnownProfile(Optional.of(new ProfileRecord(
                "application_0_1",
                "tag",
                "A100",
                16,
                ProfileRecord.Phase.READY,
                1,
                List.of(new ProfileRecord.Point(2, 1024, 50, 10)),
                1)));
        known.run(1);
        assertEquals(ProfileRecord.Phase.READY, known.profiles.get(1).phase());
        assertEquals("application_1_0001", known.profiles.get(1).applicationId());
        known.run(60);
        assertTrue(known.resized.isEmpty());
    }

    @Test
    void aJobThatDriftsIsProfiledAgainFromTheSizeThatTheSchedulerGaveIt() throws RefusedException {
        FakeCluster drifting = new FakeCluster(FakeCluster.job(1, 2, true));
        drifting.start();
        String container = drifting.grant(1, 1).get(0);
        drifting.run(120);
        drifting.runner(container).vcores = 4;
        drifting.runner(container).version++;
        drifting.run(600);
        ProfileRecord steady = drifting.profiles.get(drifting.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, steady.phase());
        ProfileRecord.Point often = steady.points().stream()
                .filter(p -> p.vcores() == 4)
                .findFirst()
                .orElseThrow();
        assertTrue(often.count() > 30, often.toString());
        assertTrue(often.error() < 0.01, often.toString());
        int published = drifting.profiles.size();
        int resizes = drifting.resized.size();
        drifting.runner(container).rate = 5;
        drifting.run(180);
        assertEquals(
                ProfileRecord.Phase.PROFILING,
                drifting.profiles.get(published).phase(),
                "the scheduler is told before anything is resized");
        ProfileRecord again = drifting.profiles.get(drifting.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, again.phase());
        for (ProfileRecord.Point point : again.points()) {
            assertEquals(5.0 * point.vcores(), point.samplesPerSecond(), 0.5 * point.vcores(), point.toString());
        }
        assertTrue(again.points().size() >= 3, again.points().toString());
        assertTrue(drifting.resized.size() > resizes);
        assertTrue(drifting.runner(container).vcores >= 4);
    }

    @Test
    void aJobThatHasGrownIsReadyBeforeItGivesAnythingBack() throws RefusedException {
        FakeCluster grown = new FakeCluster(FakeCluster.job(1, 2, true));
        grown.mostVcores = 10;
        grown.start();
        String container = grown.grant(1, 1).get(0);
        do {
            grown.run(0.25);
        } while (last(grown).phase() == ProfileRecord.Phase.PROFILING);
        // 6 at first, 9 were granted and 14 not.
        assertEquals(9, grown.runner(container).vcores);
        assertEquals(10.0 * 9, speedAt(last(grown), 9), 9);
        int resizes = grown.resized.size();
        grown.run(30);
        assertEquals(9, grown.runner(container).vcores);
        assertEquals(resizes, grown.resized.size(), "from now on the scheduler alone resizes it");
    }

    private static double speedAt(ProfileRecord record, long vcores) {
        return record.points().stream()
                .filter(p -> p.vcores() == vcores)
                .findFirst()
                .orElseThrow()
                .samplesPerSecond();
    }
}
