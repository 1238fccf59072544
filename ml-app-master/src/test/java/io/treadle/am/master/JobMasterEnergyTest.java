// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Energy is measured after the speed, by power of containers, and once. */
class JobMasterEnergyTest {
    private static ProfileRecord last(FakeCluster cluster) {
        return cluster.profiles.get(cluster.profiles.size() - 1);
    }

    private static FakeCluster metered(int workers, boolean profiled) {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(workers, 2, profiled));
        cluster.metered = true;
        cluster.start();
        cluster.grant(1, workers);
        return cluster;
    }

    @Test
    void capsAreSteppedThroughWhileTheRecordSaysProfiling() throws RefusedException {
        FakeCluster cluster = metered(2, true);
        for (int i = 0; i < 600 && cluster.runner("c1").watts == 0; i++) {
            cluster.run(1);
        }
        assertEquals(ProfileRecord.Phase.PROFILING, last(cluster).phase());
        assertTrue(last(cluster).points().size() >= 4, "the speed is known by then");
        assertTrue(
                cluster.master.status().note().startsWith("measuring energy at"),
                cluster.master.status().note());
        int resizes = cluster.resized.size();
        cluster.run(60);
        assertEquals(
                List.of("c1 0->240", "c2 0->240", "c1 240->160", "c2 240->160", "c1 160->0", "c2 160->0"),
                cluster.capped);
        assertEquals(resizes, cluster.resized.size(), "vcores stay as they are");
        ProfileRecord ready = last(cluster);
        assertEquals(ProfileRecord.Phase.READY, ready.phase());
        assertEquals(3, ready.energy().size());
        double speed = 20.0 * cluster.runner("c1").vcores;
        for (EnergyPoint p : ready.energy()) {
            double expected = speed * (0.5 + 0.5 * p.capWatts() / 400);
            assertEquals(expected, p.samplesPerSecond(), 0.02 * expected);
            assertEquals(2 * 0.75 * p.capWatts(), p.watts(), 0.02 * p.watts());
            assertEquals(2, p.gpus());
            assertEquals(2, p.nodes());
            assertEquals(32, p.batch());
        }
        assertTrue(
                ready.points().stream().allMatch(p -> Math.abs(p.samplesPerSecond() / (20.0 * p.vcores()) - 1) < 0.1),
                "no speed is of a cap");
        String energy = cluster.master.status().energy().orElseThrow().describe();
        assertTrue(energy.matches("[0-9.]+ kJ \\([0-9.]+ m?J per sample\\), 600 W, cap 400 W per GPU"), energy);
    }

    /** One worker of up to eight: its batch of 16, and the 8, 4 and 2 that 2, 4 and 8 GPUs would bring each. */
    private static FakeCluster elastic(long mostBatch) throws RefusedException {
        JobSpec.TaskGroup group = FakeCluster.group("worker", 8, 1, 1);
        FakeCluster cluster = new FakeCluster(FakeCluster.job(List.of(group), 2, true));
        cluster.metered = true;
        cluster.start();
        cluster.grant(1, 1);
        FakeCluster.Runner runner = cluster.runner("c1");
        runner.batch.changes = true;
        runner.batch.most = mostBatch;
        return cluster;
    }

    private static void untilOtherBatch(FakeCluster cluster) throws RefusedException {
        for (int i = 0; i < 1200 && cluster.runner("c1").batch.size == FakeBatch.OWN; i++) {
            cluster.run(0.5);
        }
    }

    @Test
    void otherBatchesAreMeasuredAtEachCap() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(12, last(cluster).energy().size(), last(cluster).energy().toString());
        FakeCluster.Runner runner = cluster.runner("c1");
        for (EnergyPoint p : last(cluster).energy()) {
            double expected = 20.0 * runner.vcores / 2 * (0.5 + 0.5 * p.capWatts() / 400) * FakeBatch.gain(p.batch());
            assertEquals(expected, p.samplesPerSecond(), 0.02 * expected);
            assertEquals(16, p.batch() * p.passes());
        }
        assertEquals(16, runner.batch.size, "its own in the end");
        assertEquals(List.of("c1 0->240", "c1 240->160", "c1 160->0"), cluster.capped);
        assertEquals(16, last(cluster).batchSize());
        assertEquals(1, runner.starts);
    }

    @Test
    void workersThatTakeNoOtherBatchAreNotWaitedFor() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.runner("c1").batch.changes = false;
        cluster.run(180);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(3, last(cluster).energy().size());
        assertTrue(cluster.master.status().note().contains("take no others"));
    }

    @Test
    void aBatchThatDoesNotFitIsLeftOut() throws RefusedException {
        FakeCluster cluster = elastic(4);
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(
                List.of(2L, 4L, 16L),
                last(cluster).energy().stream()
                        .map(EnergyPoint::batch)
                        .distinct()
                        .toList());
        assertTrue(
                cluster.master.status().note().contains("8 samples per GPU and pass do not fit"),
                cluster.master.status().note());
    }

    @Test
    void aCheckpointInBetweenLosesNoBatch() throws RefusedException {
        FakeCluster cluster = elastic(16);
        FakeCluster.Runner runner = cluster.runner("c1");
        untilOtherBatch(cluster);
        cluster.master.onPreemptionMessage(Set.of("no container of the job"));
        cluster.run(2);
        assertEquals(
                WorkerCommand.Command.CHECKPOINT,
                runner.last.command().orElseThrow().command());
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(12, last(cluster).energy().size());
    }

    /** Else a batch that kills the workers would be tried until the job has no restarts left. */
    @Test
    void aBatchThatWorkersDieOfIsTriedOnce() throws RefusedException {
        FakeCluster cluster = elastic(16);
        untilOtherBatch(cluster);
        cluster.finish("c1", 1, 60, true);
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(3, last(cluster).energy().size());
        assertEquals(2, cluster.runner("c1").starts);
        assertTrue(cluster.master.status().note().contains("were in use when the workers ended"));
    }

    @Test
    void theNextApplicationMasterTakesTheBatchBackAndGoesOn() throws RefusedException {
        FakeCluster cluster = elastic(16);
        untilOtherBatch(cluster);
        cluster.run(30);
        int known = last(cluster).energy().size();
        assertTrue(known >= 3, "known " + known);
        cluster.restartMaster(List.of());
        for (int i = 0; i < 240 && cluster.runner("c1").batch.size != FakeBatch.OWN; i++) {
            cluster.run(0.25);
        }
        assertTrue(last(cluster).energy().size() >= known, "nothing is lost");
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(12, last(cluster).energy().size());
        assertTrue(last(cluster).energy().stream().filter(p -> p.batch() == 16).allMatch(p -> p.count() >= 1));
        assertEquals(16, last(cluster).batchSize());
        assertEquals(16, cluster.runner("c1").batch.size);
    }

    @Test
    void aCapOfTheSchedulerIsNoDrift() throws RefusedException {
        FakeCluster cluster = metered(1, true);
        cluster.run(180);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        Map<Long, Double> speeds = last(cluster).speeds();
        FakeCluster.Runner runner = cluster.runner("c1");
        runner.watts = 100;
        runner.version++;
        int asked = cluster.capped.size();
        cluster.run(1500);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(speeds, last(cluster).speeds());
        assertEquals(asked, cluster.capped.size(), "from then on only the scheduler caps it");
        assertEquals(4, last(cluster).energy().size());
    }

    @Test
    void aJobThatDriftsIsMeasuredUnderCapsAnew() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.run(240);
        assertEquals(12, last(cluster).energy().size());
        cluster.run(600);
        FakeCluster.Runner runner = cluster.runner("c1");
        int asked = cluster.capped.size();
        int published = cluster.profiles.size();
        double done = runner.samples;
        runner.rate = 5;
        cluster.run(600);
        assertTrue(
                cluster.profiles.subList(published, cluster.profiles.size()).stream()
                        .anyMatch(p -> p.phase() == ProfileRecord.Phase.PROFILING
                                && p.energy().isEmpty()),
                "what was known is not true any more");
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(
                List.of("c1 0->240", "c1 240->160", "c1 160->0"), cluster.capped.subList(asked, cluster.capped.size()));
        assertEquals(12, last(cluster).energy().size());
        for (EnergyPoint p : last(cluster).energy()) {
            double expected = 5.0 * runner.vcores * (0.5 + 0.5 * p.capWatts() / 400) * FakeBatch.gain(p.batch());
            assertEquals(expected, p.samplesPerSecond(), 0.02 * expected);
        }
        assertEquals(1, runner.starts, "it trains on");
        assertTrue(runner.samples > done);
        assertEquals(16, runner.batch.size);
    }

    /** Also where the ApplicationMaster dies between the drift and the new profile. */
    @Test
    void aDriftIsNotForgottenByTheNextApplicationMaster() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.run(840);
        cluster.runner("c1").rate = 5;
        for (int i = 0; i < 600 && last(cluster).phase() == ProfileRecord.Phase.READY; i++) {
            cluster.run(1);
        }
        assertEquals(ProfileRecord.Phase.PROFILING, last(cluster).phase());
        cluster.restartMaster(List.of());
        cluster.run(300);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(12, last(cluster).energy().size());
        assertTrue(last(cluster).energy().stream().allMatch(p -> p.samplesPerSecond() <= 5.1 * 64));
        assertEquals(1, cluster.runner("c1").starts);
    }

    /** As at the end of an epoch. */
    @Test
    void aBatchThatTheJobHasForAMomentSaysNothingOfItsSpeed() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.run(240);
        Map<Long, Double> speeds = last(cluster).speeds();
        FakeCluster.Runner runner = cluster.runner("c1");
        for (int epoch = 0; epoch < 40; epoch++) {
            runner.batch.own = 64;
            runner.batch.size = 64;
            cluster.run(20);
            runner.batch.own = FakeBatch.OWN;
            runner.batch.size = FakeBatch.OWN;
            cluster.run(20);
        }
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(speeds.keySet(), last(cluster).speeds().keySet());
        last(cluster)
                .speeds()
                .forEach((vcores, speed) ->
                        assertEquals(speeds.getOrDefault(vcores, 0.0), speed, 0.02 * speed, vcores + " vcores"));
    }

    @Test
    void aBatchThatTheJobChangesForGoodIsItsOwnFromThenOn() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.run(240);
        Map<Long, Double> speeds = last(cluster).speeds();
        FakeCluster.Runner runner = cluster.runner("c1");
        int asked = cluster.capped.size();
        runner.batch.own = 64;
        runner.batch.size = 64;
        cluster.run(1500);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(speeds.keySet(), last(cluster).speeds().keySet());
        double expected = 10.0 * runner.vcores * FakeBatch.gain(64);
        assertEquals(expected, last(cluster).speeds().getOrDefault(runner.vcores, 0.0), 0.03 * expected);
        assertEquals(asked, cluster.capped.size(), "no cap is tried again");
        EnergyPoint own = last(cluster).energy().stream()
                .filter(p -> p.batch() == 64)
                .findFirst()
                .orElseThrow();
        assertEquals(expected, own.samplesPerSecond(), 0.02 * expected);
        assertEquals(13, last(cluster).energy().size(), "a point of its own, and the others stay");
    }

    /** Else the speed of a job that has grown would never be measured. */
    @Test
    void workersThatSayTheirBatchOneAfterTheOtherHaveNotChangedIt() throws RefusedException {
        FakeCluster cluster = elastic(16);
        cluster.run(240);
        cluster.runner("c1").vcores = 6; // As many as others are granted.
        cluster.runner("c1").version++;
        cluster.grant(1, 1);
        FakeCluster.Runner second = cluster.runner("c2");
        second.batch.own = 0;
        second.batch.size = 0;
        for (int i = 0; i < 200 && second.starts == 0; i++) {
            cluster.run(0.25);
        }
        cluster.run(2);
        second.batch.own = 16;
        second.batch.size = 16;
        cluster.run(60);
        assertTrue(
                last(cluster).points().stream().anyMatch(p -> p.count() > 0),
                last(cluster).points().toString());
        assertTrue(last(cluster).energy().stream().anyMatch(p -> p.gpus() == 2 && p.batch() == 32));
    }

    @Test
    void nodesThatOnlyObserveEndItWithANote() throws RefusedException {
        FakeCluster cluster = metered(1, true);
        cluster.caps = false;
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(1, last(cluster).energy().size());
        assertEquals(0, cluster.runner("c1").watts, "taken back");
        assertTrue(
                cluster.master.status().note().contains("was not in force"),
                cluster.master.status().note());
    }

    @Test
    void whatIsKnownIsNotMeasuredAgainAndNotLost() throws RefusedException {
        FakeCluster first = metered(1, true);
        first.run(180);
        FakeCluster second = new FakeCluster(FakeCluster.job(1, 2, true));
        second.metered = true;
        second.master.start(Optional.empty(), List.of());
        second.grant(1, 1);
        second.master.onKnownProfile(Optional.of(last(first)));
        second.run(60);
        assertTrue(second.capped.isEmpty());
        assertEquals(ProfileRecord.Phase.READY, last(second).phase());
        assertEquals(3, last(second).energy().size());
    }

    @Test
    void theNextApplicationMasterTakesTheCapBack() throws RefusedException {
        FakeCluster cluster = metered(1, true);
        for (int i = 0; i < 600 && cluster.runner("c1").watts == 0; i++) {
            cluster.run(1);
        }
        cluster.restartMaster(List.of());
        cluster.run(60);
        assertEquals(0, cluster.runner("c1").watts);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
    }

    @Test
    void jobsThatAreNotProfiledAreMeteredOnly() throws RefusedException {
        FakeCluster cluster = metered(1, false);
        cluster.run(60);
        assertTrue(cluster.capped.isEmpty());
        assertEquals(1, last(cluster).energy().size());
        FakeCluster dark = new FakeCluster(FakeCluster.job(1, 2, true));
        dark.startGang(1);
        dark.run(60);
        assertFalse(dark.master.status().energy().isPresent());
    }
}
