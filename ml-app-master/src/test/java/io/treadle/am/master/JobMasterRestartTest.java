// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.protocol.Directive;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An ApplicationMaster that is started again goes on with the containers and workers of the one before. */
class JobMasterRestartTest {
    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(3, 2, false));

    @Test
    void anotherMasterTakesOverWithoutTouchingWorkers() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.run(20);
        cluster.restartMaster(List.of());
        cluster.run(5);
        for (String container : containers) {
            assertEquals(1, cluster.runner(container).starts);
            assertEquals(Directive.Desired.RUN, cluster.runner(container).last.desired());
        }
        assertEquals(7.5, cluster.master.status().workers().get(0).vcoreSeconds(), "the runner has counted on");
        assertTrue(cluster.asked.isEmpty());
        assertTrue(cluster.released.isEmpty());
        cluster.finish(containers.get(0), 9, 60, true);
        cluster.run(2);
        assertEquals(1, cluster.assignment(containers.get(0)).restartCount());
        assertEquals(0, cluster.assignment(containers.get(0)).rank());
    }

    @Test
    void anotherMasterLearnsOfWorkersThatHadEndedWell() throws RefusedException {
        List<String> containers = cluster.startGang(3);
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

    private void assertTheOthersGoOnAndEnd(List<String> others) throws RefusedException {
        cluster.run(5);
        assertTrue(cluster.asked.isEmpty());
        for (String other : others) {
            assertEquals(1, cluster.runner(other).starts);
            assertEquals(Directive.Desired.RUN, cluster.runner(other).last.desired());
            cluster.finish(other, 0, 30, true);
        }
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }

    @Test
    void aWorkerThatIsDoneStaysDoneWhereItsContainerHasEnded() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.run(20);
        cluster.finish(containers.get(0), 0, 20, true);
        cluster.lose(containers.get(0), false);
        cluster.restartMaster(List.of(containers.get(0)));
        assertEquals(2, cluster.master.status().workers().size(), "of the third nothing is left to show");
        assertTheOthersGoOnAndEnd(containers.subList(1, 3));
    }

    @Test
    void aWorkerThatIsDoneIsNotMissedWhereItsContainerEndsWithoutAMaster() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.run(20);
        cluster.finish(containers.get(0), 0, 20, true);
        cluster.restartMaster(List.of(containers.get(0)));
        cluster.run(1);
        cluster.restartMaster(List.of());
        assertTheOthersGoOnAndEnd(containers.subList(1, 3));
    }

    @Test
    void whatIsDoneIsDoneAgainWhereTheOthersStartAgain() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.run(20);
        cluster.finish(containers.get(0), 0, 20, true);
        cluster.restartMaster(List.of(containers.get(0), containers.get(1)));
        assertEquals(List.of("0x2"), cluster.asked);
        cluster.grant(1, 2);
        cluster.run(5);
        assertEquals(2, cluster.runner(containers.get(2)).starts);
        assertEquals("running", cluster.master.status().state());
    }

    @Test
    void stateOfAnEarlierVersionSaysOfNobodyThatItIsDone() throws RefusedException {
        cluster.startGang(3);
        SavedState state = cluster.saved.orElseThrow();
        assertEquals(state, SavedState.fromJson(state.toJson().replace(",\"done\":false", "")));
    }

    @Test
    void anotherMasterAnnouncesItselfUntilRunnersRegister() throws RefusedException {
        List<String> containers = cluster.startGang(3);
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

    /** Its node went with the ApplicationMaster's, and YARN does not know yet. */
    @Test
    void runnerThatAnEarlierMasterHeardIsSilentAndTheJobIsNotBlamed() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.runner(containers.get(0)).silent = true;
        cluster.restartMaster(List.of());
        cluster.run(70);
        assertEquals(List.of(containers.get(0)), cluster.released);
        assertEquals(0, cluster.saved.orElseThrow().failures());
        assertEquals(List.of("0x1"), cluster.asked);
    }

    @Test
    void containersLostWithoutAMasterAreReplaced() throws RefusedException {
        List<String> containers = cluster.startGang(3);
        cluster.restartMaster(List.of(containers.get(2)));
        assertEquals(List.of("0x1"), cluster.asked);
        String fresh = cluster.grant(1, 1).get(0);
        cluster.run(3);
        assertEquals(2, cluster.assignment(fresh).rank());
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

    /** Containers that are still localised when their ApplicationMaster dies know the address of the dead one only. */
    @Test
    void containersWhoseRunnersCannotBeFoundAreReplacedAtOnceAndWithoutBlame() throws RefusedException {
        cluster.start();
        List<String> unheard = cluster.grant(1, 3);
        cluster.restartMaster(List.of());
        cluster.run(5);
        assertEquals(Set.copyOf(unheard), Set.copyOf(cluster.released));
        assertEquals(List.of("0x3"), cluster.asked);
        assertEquals(0, cluster.saved.orElseThrow().failures());
        List<String> fresh = cluster.grant(1, 3);
        cluster.run(2);
        assertEquals(1, cluster.runner(fresh.get(0)).starts);
    }

    @Test
    void whereOneRunnerCannotBeFoundTheOthersWaitForItsSuccessor() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 3);
        cluster.runner(containers.get(1)).silent = true;
        cluster.run(2);
        cluster.restartMaster(List.of());
        assertEquals(List.of(containers.get(1)), cluster.released);
        assertEquals(List.of("0x1"), cluster.asked);
        cluster.grant(1, 1);
        cluster.run(5);
        assertEquals(1, cluster.runner(containers.get(0)).starts);
        assertEquals(1, cluster.runner(containers.get(2)).starts);
    }

    @Test
    void profilingThatAMasterLeftUnfinishedContinues() throws RefusedException {
        FakeCluster profiled = new FakeCluster(FakeCluster.job(1, 2, true));
        profiled.start();
        String container = profiled.grant(1, 1).get(0);
        for (int i = 0; i < 400 && profiled.runner(container).vcores == 6; i++) {
            profiled.run(0.25);
        }
        assertEquals(3, profiled.runner(container).vcores);
        profiled.restartMaster(List.of());
        ProfileRecord profile = profiledToTheEnd(profiled);
        List<Long> sizes =
                profile.points().stream().map(ProfileRecord.Point::vcores).toList();
        assertTrue(sizes.containsAll(List.of(1L, 3L, 6L)), sizes::toString);
        assertTrue(profile.complete());
    }

    private static ProfileRecord ofAnEarlierJob() {
        return new ProfileRecord(
                "application_1_0000",
                "tag",
                "",
                16,
                ProfileRecord.Phase.READY,
                1,
                List.of(new ProfileRecord.Point(3, 1024, 30, 10), new ProfileRecord.Point(6, 1024, 60, 10)),
                0);
    }

    @Test
    void aKnownProfileIsUsedThoughAMasterDiedBeforeItWasRead() throws RefusedException {
        FakeCluster profiled = new FakeCluster(FakeCluster.job(1, 2, true));
        profiled.master.start(Optional.empty(), List.of());
        profiled.run(1);
        assertTrue(profiled.saved.orElseThrow().profile().isPresent(), "an empty one");
        profiled.restartMaster(List.of(), Optional.of(ofAnEarlierJob()));
        profiled.grant(1, 1);
        profiled.run(30);
        ProfileRecord last = profiled.profiles.get(profiled.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, last.phase());
        assertEquals(2, last.jobs());
        assertTrue(profiled.resized.isEmpty(), profiled.resized::toString);
    }

    /** It is what the job has contradicted. */
    @Test
    void aKnownProfileIsNotTakenWhereTheJobRanAlready() throws RefusedException {
        FakeCluster profiled = new FakeCluster(FakeCluster.job(1, 2, true));
        profiled.startGang(1);
        SavedState state = profiled.saved.orElseThrow();
        assertTrue(state.profile().orElseThrow().points().isEmpty());
        profiled.restartMaster(List.of(), Optional.of(ofAnEarlierJob()));
        profiled.run(1);
        ProfileRecord last = profiled.profiles.get(profiled.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.PROFILING, last.phase());
    }

    private static ProfileRecord profiledToTheEnd(FakeCluster profiled) throws RefusedException {
        for (int i = 0; i < 1_200; i++) {
            profiled.run(0.25);
            ProfileRecord last = profiled.profiles.get(profiled.profiles.size() - 1);
            if (last.phase() == ProfileRecord.Phase.READY) {
                return last;
            }
        }
        throw new AssertionError("still profiling: " + profiled.profiles);
    }

    @Test
    void whatAJobHadMeasuredWhenItsMasterDiedIsNotMeasuredAgain() throws RefusedException {
        FakeCluster profiled = new FakeCluster(FakeCluster.job(1, 2, true));
        profiled.start();
        String container = profiled.grant(1, 1).get(0);
        for (int i = 0; i < 400 && profiled.runner(container).vcores <= 6; i++) {
            profiled.run(0.25);
        }
        assertEquals(9, profiled.runner(container).vcores);
        profiled.resized.clear();
        profiled.restartMaster(List.of());
        profiledToTheEnd(profiled);
        assertTrue(
                profiled.resized.stream().noneMatch(r -> r.endsWith("->3") || r.endsWith("->1")),
                profiled.resized::toString);
    }

    @Test
    void savedStateComesBackAsItWas() throws RefusedException {
        cluster.startGang(3);
        cluster.run(20);
        SavedState state = cluster.saved.orElseThrow();
        assertEquals(state, SavedState.fromJson(state.toJson()));
    }
}
