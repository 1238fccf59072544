// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobMasterTest {
    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(3, 2, false));

    private List<String> startGang(int workers) throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, workers);
        cluster.run(2);
        return containers;
    }

    private Assignment assignment(String container) {
        return cluster.runner(container).last.assignment().orElseThrow();
    }

    @Test
    void asksForTheGangAndStartsNoWorkerBeforeItIsWhole() throws RefusedException {
        cluster.start();
        assertEquals(List.of("0x3"), cluster.asked);
        List<String> two = cluster.grant(1, 2);
        cluster.run(10);
        assertEquals(Directive.Desired.WAIT, cluster.runner(two.get(0)).last.desired());
        List<String> third = cluster.grant(1, 1);
        cluster.run(1);
        assertEquals(Directive.Desired.RUN, cluster.runner(two.get(0)).last.desired());
        assertEquals(1, cluster.runner(third.get(0)).starts);
    }

    @Test
    void handsOutRanksAndOneMaster() throws RefusedException {
        List<String> containers = startGang(3);
        for (int i = 0; i < 3; i++) {
            Assignment a = assignment(containers.get(i));
            assertEquals(i, a.rank());
            assertEquals(3, a.worldSize());
            assertEquals(0, a.restartCount());
            assertEquals(cluster.runner(containers.get(0)).container.host(), a.masterAddress());
            assertEquals(40_001, a.masterPort());
            assertEquals("run worker", a.command());
            assertEquals("worker", a.environment().get("G"));
            assertEquals("1", a.environment().get("A"));
        }
    }

    @Test
    void ranksGoGroupByGroup() throws RefusedException {
        FakeCluster two = new FakeCluster(FakeCluster.job(
                List.of(FakeCluster.group("server", 1, 1, 0), FakeCluster.group("worker", 2, 2, 1)), 1, false));
        two.start();
        assertEquals(List.of("0x1", "1x2"), two.asked);
        List<String> workers = two.grant(2, 2);
        List<String> servers = two.grant(1, 1);
        two.run(2);
        assertEquals(
                0, two.runner(servers.get(0)).last.assignment().orElseThrow().rank());
        Assignment last = two.runner(workers.get(1)).last.assignment().orElseThrow();
        assertEquals(2, last.rank());
        assertEquals(1, last.groupRank());
        assertEquals(2, last.groupSize());
    }

    @Test
    void containersBeyondTheAskAndUnknownOnesAreReleased() throws RefusedException {
        cluster.start();
        List<String> four = cluster.grant(1, 4);
        assertEquals(List.of(four.get(3)), cluster.released);
        List<String> strange = cluster.grant(9, 1);
        assertEquals(List.of(four.get(3), strange.get(0)), cluster.released);
        RefusedException refused = assertThrows(
                RefusedException.class, () -> cluster.master.register(new RegisterMessage("c99", "host", 1)));
        assertEquals(410, refused.status());
    }

    @Test
    void succeedsWhenEveryWorkerHasEndedWell() throws RefusedException {
        List<String> containers = startGang(3);
        for (String container : containers) {
            assertTrue(cluster.master.outcome().isEmpty());
            cluster.finish(container, 0, 100, true);
        }
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
        cluster.run(1);
        assertEquals(
                Directive.Desired.EXIT, cluster.runner(containers.get(0)).last.desired());
        assertEquals("succeeded", cluster.master.status().state());
    }

    @Test
    void aFailedWorkerRestartsTheWholeGangInPlace() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.run(30);
        cluster.finish(containers.get(1), 137, 30, true);
        cluster.run(3);
        for (String container : containers) {
            assertEquals(2, cluster.runner(container).starts);
            assertEquals(1, assignment(container).restartCount());
            assertEquals(40_002, assignment(container).masterPort());
        }
        assertEquals(List.of("0x3"), cluster.asked);
        assertEquals(1, cluster.master.status().restarts());
    }

    @Test
    void theOthersFailuresOfTheSameStartCountOnce() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.run(30);
        cluster.finish(containers.get(0), 1, 30, true);
        cluster.runner(containers.get(1)).epoch = 1;
        cluster.finish(containers.get(1), 1, 30, true);
        assertEquals(1, cluster.master.status().restarts());
    }

    @Test
    void restartsHaveALimitAndItsDiagnosticsShowStderr() throws RefusedException {
        List<String> containers = startGang(3);
        for (int i = 0; i < 3; i++) {
            cluster.run(20);
            cluster.finish(containers.get(0), 7, 20, true);
        }
        Outcome outcome = cluster.master.outcome().orElseThrow();
        assertFalse(outcome.succeeded());
        assertTrue(outcome.diagnostics().contains("exit code 7"), outcome.diagnostics());
        assertTrue(outcome.diagnostics().contains("restarted 2 times already"), outcome.diagnostics());
        assertTrue(outcome.diagnostics().endsWith("line 1\nboom"), outcome.diagnostics());
    }

    @Test
    void aCommandThatFailsAtOnceTwiceEndsTheJob() throws RefusedException {
        FakeCluster patient = new FakeCluster(FakeCluster.job(1, 100, false));
        patient.start();
        String container = patient.grant(1, 1).get(0);
        patient.runner(container).rate = 0;
        for (int i = 0; i < 2; i++) {
            patient.run(1);
            patient.finish(container, 127, 0.2, false);
        }
        Outcome outcome = patient.master.outcome().orElseThrow();
        assertTrue(outcome.diagnostics().contains("within 10 s without progress"), outcome.diagnostics());
        assertTrue(outcome.diagnostics().contains("boom"), outcome.diagnostics());
    }

    @Test
    void aLostContainerIsReplacedAndItsRankIsKept() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.run(10);
        cluster.lose(containers.get(1), false);
        cluster.run(5);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
        assertEquals(
                Directive.Desired.WAIT, cluster.runner(containers.get(0)).last.desired());
        String fresh = cluster.grant(1, 1).get(0);
        cluster.run(2);
        assertEquals(1, assignment(fresh).rank());
        assertEquals(2, cluster.runner(containers.get(0)).starts);
        assertEquals(1, cluster.runner(fresh).starts);
        assertEquals(1, cluster.master.status().restarts());
    }

    @Test
    void aLossWhileTheGangFormsIsMendedToo() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 3);
        cluster.lose(containers.get(0), true);
        cluster.run(3);
        assertEquals(
                Directive.Desired.WAIT, cluster.runner(containers.get(1)).last.desired());
        String fresh = cluster.grant(1, 1).get(0);
        cluster.run(2);
        assertEquals(0, assignment(fresh).rank());
        assertEquals(1, cluster.runner(containers.get(2)).starts);
    }

    @Test
    void preemptionIsNotTheJobsFault() throws RefusedException {
        List<String> containers = startGang(3);
        String victim = containers.get(2);
        for (int i = 0; i < 5; i++) {
            cluster.run(5);
            cluster.lose(victim, true);
            victim = cluster.grant(1, 1).get(0);
            cluster.run(5);
        }
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(5, cluster.master.status().restarts());
    }

    @Test
    void aStartThatTheNodeRefusesIsMended() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 3);
        cluster.master.onStartFailed(containers.get(0), "no disk");
        assertEquals(List.of(containers.get(0)), cluster.released);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
    }

    @Test
    void aSilentRunnerCountsAsLost() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.runner(containers.get(0)).silent = true;
        cluster.run(31);
        assertEquals(List.of(containers.get(0)), cluster.released);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
    }

    @Test
    void theLossOfAContainerWhoseWorkerIsDoneMattersOnlyForTheNextStart() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.run(20);
        cluster.finish(containers.get(0), 0, 20, true);
        cluster.lose(containers.get(0), false);
        cluster.run(40);
        assertEquals(1, cluster.runner(containers.get(1)).starts);
        cluster.finish(containers.get(1), 1, 60, true);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
    }

    @Test
    void anotherMasterTakesOverWithoutTouchingWorkers() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.run(20);
        cluster.restartMaster(List.of());
        cluster.run(5);
        for (String container : containers) {
            assertEquals(1, cluster.runner(container).starts);
            assertEquals(Directive.Desired.RUN, cluster.runner(container).last.desired());
        }
        assertTrue(cluster.asked.isEmpty());
        assertTrue(cluster.released.isEmpty());
        cluster.finish(containers.get(0), 9, 60, true);
        cluster.run(2);
        assertEquals(1, assignment(containers.get(0)).restartCount());
        assertEquals(0, assignment(containers.get(0)).rank());
    }

    @Test
    void anotherMasterLearnsOfWorkersThatHadEndedWell() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.run(20);
        cluster.finish(containers.get(0), 0, 20, true);
        cluster.restartMaster(List.of());
        cluster.run(2);
        // Runners say it again to a new master.
        for (String container : containers) {
            assertTrue(cluster.master.outcome().isEmpty());
            cluster.finish(container, 0, 30, true);
        }
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }

    @Test
    void anotherMasterAnnouncesItselfUntilRunnersRegister() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.runner(containers.get(0)).silent = true;
        cluster.restartMaster(List.of());
        cluster.run(5);
        assertTrue(
                cluster.announced.stream()
                                .filter(a -> a.equals(cluster.runner(containers.get(0))
                                                .container
                                                .host() + ":7000"))
                                .count()
                        >= 2,
                cluster.announced.toString());
    }

    @Test
    void containersLostWithoutAMasterAreReplaced() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.restartMaster(List.of(containers.get(2)));
        assertEquals(List.of("0x1"), cluster.asked);
        String fresh = cluster.grant(1, 1).get(0);
        cluster.run(3);
        assertEquals(2, assignment(fresh).rank());
        assertEquals(2, cluster.runner(containers.get(0)).starts);
    }

    @Test
    void inheritedContainersThatNobodyKnowsAreReleased() throws RefusedException {
        cluster.start();
        cluster.grant(1, 3);
        cluster.saved = Optional.empty();
        cluster.restartMaster(List.of());
        assertEquals(3, cluster.released.size());
        assertEquals(List.of("0x3"), cluster.asked);
    }

    @Test
    void anElasticGroupStartsWithLessAndTakesMoreLater() throws RefusedException {
        FakeCluster elastic = new FakeCluster(FakeCluster.job(List.of(FakeCluster.group("worker", 4, 2, 1)), 2, false));
        elastic.start();
        List<String> first = elastic.grant(1, 2);
        elastic.run(6);
        assertEquals(
                2, elastic.runner(first.get(0)).last.assignment().orElseThrow().worldSize());
        List<String> more = elastic.grant(1, 2);
        elastic.run(1);
        assertEquals(
                WorkerCommand.Command.RESCALE,
                elastic.runner(first.get(0)).last.command().orElseThrow().command());
        assertEquals(1, elastic.runner(first.get(0)).starts);
        elastic.runner(first.get(0)).answered = Long.MAX_VALUE;
        elastic.runner(first.get(1)).answered = Long.MAX_VALUE;
        elastic.run(2);
        assertEquals(
                4, elastic.runner(more.get(1)).last.assignment().orElseThrow().worldSize());
        assertEquals(2, elastic.runner(first.get(0)).starts);
    }

    @Test
    void preemptionOfAnotherContainerAsksForACheckpoint() throws RefusedException {
        List<String> containers = startGang(3);
        cluster.master.onPreemptionMessage(Set.of("the ApplicationMaster's own"));
        cluster.run(1);
        assertEquals(
                WorkerCommand.Command.CHECKPOINT,
                cluster.runner(containers.get(0)).last.command().orElseThrow().command());
        cluster.run(11);
        assertTrue(cluster.runner(containers.get(0)).last.command().isEmpty());
    }

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
        assertEquals(6, profiled.runner(containers.get(0)).vcores);
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
        stingy.grantsResizes = false;
        stingy.start();
        String container = stingy.grant(1, 1).get(0);
        stingy.run(60);
        ProfileRecord last = stingy.profiles.get(stingy.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, last.phase());
        assertEquals(6, stingy.runner(container).vcores);
    }

    @Test
    void profilingThatAMasterLeftUnfinishedEndsAtTheFirstSize() throws RefusedException {
        FakeCluster profiled = new FakeCluster(FakeCluster.job(1, 2, true));
        profiled.start();
        String container = profiled.grant(1, 1).get(0);
        for (int i = 0; i < 400 && profiled.runner(container).vcores == 6; i++) {
            profiled.run(0.25);
        }
        assertEquals(3, profiled.runner(container).vcores);
        profiled.restartMaster(List.of());
        profiled.run(20);
        assertEquals(6, profiled.runner(container).vcores);
        assertEquals(
                ProfileRecord.Phase.READY,
                profiled.profiles.get(profiled.profiles.size() - 1).phase());
    }

    @Test
    void aKnownProfileIsPublishedAtOnce() throws RefusedException {
        FakeCluster known = new FakeCluster(FakeCluster.job(1, 2, true));
        known.master.start(Optional.empty(), List.of());
        known.run(1);
        assertTrue(known.profiles.isEmpty());
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
        assertEquals(ProfileRecord.Phase.READY, known.profiles.get(0).phase());
        assertEquals("application_1_0001", known.profiles.get(0).applicationId());
        known.grant(1, 1);
        known.run(60);
        assertTrue(known.resized.isEmpty());
    }

    @Test
    void tellsItsProgress() throws RefusedException {
        startGang(3);
        cluster.run(20);
        assertTrue(cluster.progress.get(cluster.progress.size() - 1).samples() > 1000);
        assertEquals(180, cluster.progress.get(cluster.progress.size() - 1).samplesPerSecond(), 20);
        assertTrue(cluster.master.progress() > 0.01);
    }

    @Test
    void savedStateComesBackAsItWas() throws RefusedException {
        startGang(3);
        cluster.run(20);
        SavedState state = cluster.saved.orElseThrow();
        assertEquals(state, SavedState.fromJson(state.toJson()));
    }
}
