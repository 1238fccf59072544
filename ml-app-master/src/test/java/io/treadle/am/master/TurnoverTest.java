// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workers come and go while the others train on. */
class TurnoverTest {
    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(
            List.of(
                    new JobSpec.TaskGroup("worker", 4, 2, 0, 0, List.of(), 4, 1024, 0, 0, "work", Map.of(), true),
                    FakeCluster.group("ps", 2, 1, 0)),
            3,
            false));

    /** Three workers and a server that train. */
    private List<String> start() throws RefusedException {
        cluster.start();
        List<String> containers = new ArrayList<>(cluster.grant(1, 3));
        containers.addAll(cluster.grant(2, 1));
        cluster.run(10);
        assertStarts(1, containers);
        return containers;
    }

    private void assertStarts(int starts, List<String> containers) {
        for (String container : containers) {
            assertEquals(starts, cluster.runner(container).starts, container);
        }
    }

    private boolean isAskedToStop(String container) {
        return cluster.runner(container)
                .last
                .command()
                .filter(command -> command.command() == WorkerCommand.Command.STOP)
                .isPresent();
    }

    private void leave(String container) throws RefusedException {
        cluster.master.onPreemptionMessage(Set.of(container));
        cluster.run(1);
        cluster.finish(container, 0, 10, true);
        cluster.run(1);
    }

    @Test
    void whoComesBeginsBesideTheOthers() throws RefusedException {
        List<String> first = start();
        String comes = cluster.grant(1, 1).get(0);
        cluster.run(2);
        assertStarts(1, first);
        assertEquals(1, cluster.runner(comes).starts);
        assertEquals(0, cluster.master.status().restarts());
        assertEquals(0, cluster.assignment(comes).joinedAfter());
        assertEquals(-1, cluster.assignment(first.get(0)).joinedAfter());
        assertEquals(4, cluster.assignment(comes).rank(), "ranks that are taken stay what they are");
        assertEquals(3, cluster.assignment(comes).groupRank());
        assertEquals(4, cluster.assignment(comes).groupSize());
        Map<String, List<String>> addresses = cluster.runner(comes).addresses;
        assertEquals(4, addresses.getOrDefault("worker", List.of()).size());
        assertEquals(1, addresses.getOrDefault("ps", List.of()).size());
    }

    @Test
    void aServerThatComesStartsAllAgain() throws RefusedException {
        List<String> first = start();
        String server = cluster.grant(2, 1).get(0);
        cluster.run(2);
        assertStarts(1, first);
        first.forEach(container -> cluster.runner(container).answered = Long.MAX_VALUE);
        cluster.run(10);
        assertStarts(2, first);
        assertEquals(1, cluster.runner(server).starts);
    }

    @Test
    void whoIsWantedLeavesAndTheOthersTrainOn() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(1)));
        cluster.run(1);
        assertTrue(isAskedToStop(first.get(1)));
        assertFalse(isAskedToStop(first.get(0)));
        assertTrue(cluster.released.isEmpty());
        cluster.finish(first.get(1), 1, 10, true);
        cluster.run(1);
        assertEquals(List.of(first.get(1)), cluster.released);
        assertEquals(List.of("0x4", "1x2", "0x1"), cluster.asked);
        cluster.run(10);
        assertStarts(1, List.of(first.get(0), first.get(2), first.get(3)));
        assertEquals(0, cluster.master.status().restarts());
        assertEquals(0, cluster.saved.orElseThrow().failures());
    }

    @Test
    void whoComesInTheirPlaceCountsOnFromWhatTheyHaveDone() throws RefusedException {
        List<String> first = start();
        leave(first.get(1));
        cluster.run(10);
        long done = cluster.master.status().samples();
        String comes = cluster.grant(1, 1).get(0);
        cluster.run(1);
        long before = cluster.assignment(comes).joinedAfter();
        assertTrue(before > 0, "what its place has done");
        assertEquals(1, cluster.assignment(comes).groupRank());
        cluster.runner(comes).samplesBase = before;
        cluster.run(5);
        assertTrue(cluster.master.status().samples() > done);
    }

    @Test
    void whoDoesNotLeaveInTimeIsTakenAndTheOthersStartAgainWithoutBlame() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(1)));
        cluster.run(12);
        assertEquals(List.of(first.get(1)), cluster.released);
        cluster.run(10);
        assertStarts(2, List.of(first.get(0), first.get(2), first.get(3)));
        assertEquals(0, cluster.saved.orElseThrow().failures());
    }

    @Test
    void whereTooFewWouldStayOrServersAreWantedAllStop() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(0), first.get(1)));
        cluster.run(1);
        first.forEach(container -> assertTrue(isAskedToStop(container), container));
        FakeCluster other = new TurnoverTest().cluster;
        other.start();
        List<String> containers = new ArrayList<>(other.grant(1, 3));
        containers.addAll(other.grant(2, 2));
        other.run(10);
        other.master.onPreemptionMessage(Set.of(containers.get(0), containers.get(4)));
        other.run(1);
        assertEquals(
                WorkerCommand.Command.STOP,
                other.runner(containers.get(1)).last.command().orElseThrow().command());
    }

    @Test
    void aServerWhoseNodeIsLostIsMissedByAll() throws RefusedException {
        List<String> first = start();
        cluster.lose(first.get(3), true);
        cluster.run(5);
        assertStarts(1, first.subList(0, 3));
        String server = cluster.grant(2, 1).get(0);
        cluster.run(5);
        assertStarts(2, first.subList(0, 3));
        assertEquals(1, cluster.runner(server).starts);
        assertEquals(0, cluster.saved.orElseThrow().failures(), "that is not the job's fault");
        assertEquals(-1, cluster.assignment(server).joinedAfter());
    }

    @Test
    void whoHasNotBegunIsGivenBackAtOnce() throws RefusedException {
        List<String> first = start();
        String comes = cluster.grant(1, 1).get(0);
        cluster.master.onPreemptionMessage(Set.of(comes));
        assertEquals(List.of(comes), cluster.released);
        cluster.run(5);
        assertStarts(1, first);
    }

    @Test
    void theNextMasterKnowsWhoHasJoined() throws RefusedException {
        List<String> first = start();
        leave(first.get(1));
        String comes = cluster.grant(1, 1).get(0);
        cluster.run(2);
        long after = cluster.assignment(comes).joinedAfter();
        cluster.restartMaster(List.of());
        cluster.run(5);
        assertStarts(1, List.of(first.get(0), first.get(2), first.get(3), comes));
        assertEquals(after, cluster.assignment(comes).joinedAfter());
        assertEquals(1, cluster.assignment(comes).groupRank());
    }

    @Test
    void aJobEndsThoughSomebodyIsJustLeaving() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(1)));
        cluster.run(1);
        for (String container : List.of(first.get(0), first.get(2), first.get(3))) {
            cluster.finish(container, 0, 10, false);
        }
        assertTrue(cluster.master.outcome().isEmpty());
        cluster.finish(first.get(1), 0, 10, true);
        cluster.run(1);
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }

    @Test
    void whoJoinsOthersThatAreJustEndingHasFailedAtNothing() throws RefusedException {
        List<String> first = start();
        String comes = comesWithoutProgress();
        for (String container : first) {
            cluster.finish(container, 0, 10, false);
        }
        cluster.finish(comes, 1, 1, false);
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }

    @Test
    void whoIsLostBeforeAnybodyHasMetItIsMissedByNobody() throws RefusedException {
        List<String> first = start();
        cluster.lose(comesWithoutProgress(), true);
        cluster.run(5);
        assertStarts(1, first);
        String late = comesWithoutProgress();
        for (String container : first) {
            cluster.finish(container, 0, 10, false);
        }
        cluster.lose(late, false);
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }

    private String comesWithoutProgress() throws RefusedException {
        String comes = cluster.grant(1, 1).get(0);
        cluster.runner(comes).rate = 0;
        cluster.run(2);
        assertEquals(1, cluster.runner(comes).starts);
        return comes;
    }

    @Test
    void whoJoinedLongAgoAndFailsHasFailed() throws RefusedException {
        List<String> first = start();
        String comes = cluster.grant(1, 1).get(0);
        cluster.run(5);
        cluster.finish(first.get(0), 0, 10, true);
        cluster.finish(comes, 137, 10, true);
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(1, cluster.saved.orElseThrow().failures());
    }

    @Test
    void whoHasOnlyJustComeCannotTakeTheWorkOver() throws RefusedException {
        List<String> first = start();
        leave(first.get(1));
        comesWithoutProgress();
        cluster.master.onPreemptionMessage(Set.of(first.get(0)));
        cluster.run(1);
        assertTrue(isAskedToStop(first.get(2)), "of two that would stay one has not begun");
    }

    @Test
    void nobodyJoinsWhileTheOthersStart() throws RefusedException {
        cluster.start();
        List<String> first = new ArrayList<>(cluster.grant(1, 3));
        first.addAll(cluster.grant(2, 1));
        cluster.run(0.5);
        cluster.runner(first.get(2)).silent = true;
        cluster.run(5);
        String comes = cluster.grant(1, 1).get(0);
        cluster.run(2);
        assertEquals(0, cluster.runner(comes).starts);
        cluster.runner(first.get(2)).silent = false;
        cluster.run(2);
        assertStarts(1, first);
        List<String> told = cluster.runner(first.get(2)).addresses.getOrDefault("worker", List.of());
        assertEquals(3, told.size(), "all of a start are told of the same others");
        cluster.run(2);
        assertEquals(1, cluster.runner(comes).starts);
    }

    @Test
    void theNextMasterGoesOnWithWhoWasLeaving() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(1)));
        cluster.run(1);
        cluster.restartMaster(List.of());
        cluster.run(1);
        assertTrue(isAskedToStop(first.get(1)));
        cluster.finish(first.get(1), 0, 10, true);
        cluster.run(1);
        assertEquals(List.of(first.get(1)), cluster.released);
        assertStarts(1, List.of(first.get(0), first.get(2), first.get(3)));
    }

    @Test
    void whoIsLateWhileTheOthersEndKeepsOnlyItsContainer() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(1)));
        cluster.run(1);
        cluster.finish(first.get(0), 0, 10, true);
        cluster.run(15);
        assertStarts(1, first.subList(1, 4));
        assertTrue(cluster.released.isEmpty());
    }

    @Test
    void whoWasLeavingIsGoneBeforeAllStartAgain() throws RefusedException {
        List<String> first = start();
        cluster.master.onPreemptionMessage(Set.of(first.get(1)));
        cluster.run(1);
        cluster.finish(first.get(0), 1, 10, true);
        assertEquals(List.of(first.get(1)), cluster.released);
        cluster.run(5);
        assertStarts(2, List.of(first.get(0), first.get(2), first.get(3)));
    }

    @Test
    void nobodyJoinsOthersThatEnd() throws RefusedException {
        List<String> first = start();
        cluster.finish(first.get(0), 0, 10, false);
        String comes = cluster.grant(1, 1).get(0);
        cluster.run(3);
        assertEquals(0, cluster.runner(comes).starts);
        first.subList(1, 4).forEach(container -> {
            try {
                cluster.finish(container, 0, 10, false);
            } catch (RefusedException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }
}
