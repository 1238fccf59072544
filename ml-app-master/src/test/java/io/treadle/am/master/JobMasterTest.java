// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.process.Outcome;
import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Gathers the gang, forms it, forms it anew after losses, and ends. */
class JobMasterTest {
    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(3, 2, false));

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
        List<String> containers = cluster.startGang(3);
        for (int i = 0; i < 3; i++) {
            Assignment a = cluster.assignment(containers.get(i));
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

    /** Whoever starts, and nobody who runs already. */
    @Test
    void workersAreToldWhereAllAre() throws RefusedException {
        FakeCluster two = new FakeCluster(FakeCluster.job(
                List.of(FakeCluster.group("worker", 2, 2, 1), FakeCluster.group("ps", 1, 1, 0)), 1, false));
        two.start();
        List<String> workers = two.grant(1, 2);
        List<String> servers = two.grant(2, 1);
        two.run(2);
        Map<String, List<String>> addresses = Map.of(
                "worker",
                List.of(
                        two.runner(workers.get(0)).container.host() + ":40001",
                        two.runner(workers.get(1)).container.host() + ":40001"),
                "ps",
                List.of(two.runner(servers.get(0)).container.host() + ":40001"));
        for (String container : List.of(workers.get(0), workers.get(1), servers.get(0))) {
            assertEquals(addresses, two.runner(container).addresses);
        }
        two.run(2);
        assertEquals(Map.of(), two.assignment(workers.get(0)).addresses());
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
        List<String> containers = cluster.startGang(3);
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
        List<String> containers = cluster.startGang(3);
        cluster.run(30);
        cluster.finish(containers.get(1), 137, 30, true);
        cluster.run(3);
        for (String container : containers) {
            assertEquals(2, cluster.runner(container).starts);
            assertEquals(1, cluster.assignment(container).restartCount());
            assertEquals(40_002, cluster.assignment(container).masterPort());
        }
        assertEquals(List.of("0x3"), cluster.asked);
        assertEquals(1, cluster.master.status().restarts());
    }

    @Test
    void theOthersFailuresOfTheSameStartCountOnce() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.run(30);
        cluster.finish(containers.get(0), 1, 30, true);
        cluster.runner(containers.get(1)).epoch = 1;
        cluster.finish(containers.get(1), 1, 30, true);
        assertEquals(1, cluster.master.status().restarts());
    }

    @Test
    void restartsHaveALimitAndItsDiagnosticsShowStderr() throws RefusedException {
        List<String> containers = cluster.startGang(3);
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
        List<String> containers = cluster.startGang(3);
        cluster.run(10);
        cluster.lose(containers.get(1), false);
        cluster.run(5);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
        assertEquals(
                Directive.Desired.WAIT, cluster.runner(containers.get(0)).last.desired());
        String fresh = cluster.grant(1, 1).get(0);
        cluster.run(2);
        assertEquals(1, cluster.assignment(fresh).rank());
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
        assertEquals(0, cluster.assignment(fresh).rank());
        assertEquals(1, cluster.runner(containers.get(2)).starts);
    }

    @Test
    void preemptionIsNotTheJobsFault() throws RefusedException {
        List<String> containers = cluster.startGang(3);
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
        List<String> containers = cluster.startGang(3);
        cluster.runner(containers.get(0)).silent = true;
        cluster.run(31);
        assertEquals(List.of(containers.get(0)), cluster.released);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
    }

    @Test
    void theLossOfAContainerWhoseWorkerIsDoneMattersOnlyForTheNextStart() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.run(20);
        cluster.finish(containers.get(0), 0, 20, true);
        cluster.lose(containers.get(0), false);
        cluster.run(40);
        assertEquals(1, cluster.runner(containers.get(1)).starts);
        cluster.finish(containers.get(1), 1, 60, true);
        assertEquals(List.of("0x3", "0x1"), cluster.asked);
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
        elastic.runner(more.get(1)).silent = true;
        elastic.run(2);
        assertTrue(elastic.runner(first.get(0)).last.command().isEmpty(), "workers train on until the last has come");
        elastic.runner(more.get(1)).silent = false;
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
    void anElasticJobThatEndsAsksForNoMoreAndAsksAgainIfItGoesOn() throws RefusedException {
        FakeCluster elastic = new FakeCluster(FakeCluster.job(List.of(FakeCluster.group("worker", 4, 2, 1)), 2, false));
        elastic.start();
        List<String> two = elastic.grant(1, 2);
        elastic.run(20);
        elastic.finish(two.get(0), 0, 20, true);
        assertEquals(1, elastic.withdrawn);
        assertEquals(List.of("0x4"), elastic.asked);
        elastic.finish(two.get(1), 1, 30, true);
        assertEquals(List.of("0x4", "0x2"), elastic.asked);
    }

    @Test
    void preemptionOfAnotherContainerAsksForACheckpoint() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.master.onPreemptionMessage(Set.of("the ApplicationMaster's own"));
        cluster.run(1);
        assertEquals(
                WorkerCommand.Command.CHECKPOINT,
                cluster.runner(containers.get(0)).last.command().orElseThrow().command());
        cluster.run(11);
        assertTrue(cluster.runner(containers.get(0)).last.command().isEmpty());
    }

    @Test
    void tellsItsProgress() throws RefusedException {
        cluster.startGang(3);
        cluster.run(20);
        assertTrue(cluster.progress.get(cluster.progress.size() - 1).samples() > 1000);
        assertEquals(180, cluster.progress.get(cluster.progress.size() - 1).samplesPerSecond(), 20);
        assertTrue(cluster.master.progress() > 0.01);
    }
}
