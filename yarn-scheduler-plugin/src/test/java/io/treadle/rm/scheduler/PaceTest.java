// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.ServerVcores;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
    private static final Plan NOTHING = new Plan(List.of());
    private static final Policy POLICY = new Policy() {
        @Override
        public String name() {
            return "stops";
        }

        @Override
        public Plan plan(Snapshot snapshot) {
            return NOTHING;
        }

        @Override
        public boolean stopsJobs() {
            return true;
        }

        @Override
        public long intervalMs() {
            return 60_000;
        }
    };

    private static Snapshot snapshot(double limitWatts, double jobsLimitWatts, long nowMs) {
        PowerView power =
                PowerView.unlimited(300, 60, 400).withLimit(limitWatts).withJobsLimit(jobsLimitWatts);
        return new Snapshot(
                        0,
                        List.of(),
                        new QueueView("root.q", ResourceVector.ZERO, ResourceVector.ZERO),
                        List.of(),
                        false)
                .with(power)
                .at(nowMs, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "Infinity, 250, true",
        "250, Infinity, true",
        "Infinity, Infinity, false",
        "250, 250, false",
        "250, 252, false",
        "250, 260, true",
        "0, 0, false",
        "0, 250, true",
    })
    void plansAnewAtOnceWhenALimitComesGoesOrChanges(double before, double now, boolean due) {
        Pace jobs = new Pace();
        jobs.planned(POLICY, snapshot(1000, before, 0), NOTHING);
        assertEquals(due, jobs.isDue(POLICY, snapshot(1000, now, 1_000)), "of the jobs of the queue");
        Pace nodes = new Pace();
        nodes.planned(POLICY, snapshot(before, 1000, 0), NOTHING);
        assertEquals(due, nodes.isDue(POLICY, snapshot(now, 1000, 1_000)), "of all nodes");
    }

    private static Snapshot with(Sizing sizing, boolean othersWait) {
        JobView job = new JobView(
                        "job", 0, List.of(), List.of(), Optional.empty(), false, new Progress(0, 0, 0, 0), Set.of())
                .withSizing(sizing);
        QueueView queue = new QueueView("root.q", ResourceVector.ZERO, ResourceVector.ZERO);
        return new Snapshot(1_000, List.of(), queue.withOthersWaiting(othersWait), List.of(job), false);
    }

    @Test
    void plansAnewAtOnceWhenServersHaveToGiveBackWhatTheyHaveMore() {
        Sizing two = Sizing.UNKNOWN.with(new ServerVcores(2, OptionalLong.empty()));
        Sizing four = Sizing.UNKNOWN.with(new ServerVcores(4, OptionalLong.empty()));
        assertFalse(isDue(with(two, false), with(four, false)), "that they can use more has time until the next plan");
        assertTrue(isDue(with(two, false), with(two, true)));
        assertFalse(isDue(with(Sizing.UNKNOWN, false), with(Sizing.UNKNOWN, true)), "there is nothing to give back");
    }

    private static boolean isDue(Snapshot before, Snapshot now) {
        Pace pace = new Pace();
        pace.planned(POLICY, before, NOTHING);
        return pace.isDue(POLICY, now);
    }

    /** One job of two tasks waits, on a queue that may hold so many GPUs and a node with so many free ones. */
    private static Snapshot waits(long limit, long free, long userLimit, long nowMs) {
        ResourceVector gpu = ResourceVector.of(1, 1, 1);
        JobView job = new JobView(
                "j",
                0,
                List.of(new TaskGroup("worker", 2, 4, gpu, Set.of())),
                List.of(),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
        NodeView node = new NodeView(
                "n",
                "r",
                ResourceVector.of(4, 8, 8),
                ResourceVector.of(4 - free, 0, 0),
                ResourceVector.ZERO,
                List.of(),
                true);
        UserView user = new UserView("ada", ResourceVector.of(userLimit, 8, 8), ResourceVector.ZERO, Set.of("j"));
        QueueView queue =
                new QueueView("root.q", ResourceVector.of(limit, 8, 8), ResourceVector.ZERO, List.of(user), false);
        return new Snapshot(nowMs, List.of(node), queue, List.of(job), false);
    }

    @ParameterizedTest(name = "queue {0}, node {1}, user {2}: {3}")
    @CsvSource({"2, 4, 4", "4, 2, 4", "4, 4, 1"})
    void plansAnewAtOnceWhenThereIsRoomForAJobThatWaits(long limit, long free, long userLimit) {
        Pace pace = new Pace();
        pace.planned(
                POLICY, waits(Math.min(limit, 3) - 1, Math.min(free, 3) - 1, Math.min(userLimit, 3) - 1, 0), NOTHING);
        assertTrue(pace.isDue(POLICY, waits(limit, free, userLimit, 1_000)));
        pace.planned(POLICY, waits(limit, free, userLimit, 1_000), NOTHING);
        assertFalse(pace.isDue(POLICY, waits(4, 4, 4, 2_000)), "its policy lets it wait");
        assertFalse(pace.isDue(POLICY, waits(1, 4, 4, 3_000)), "less room changes nothing for it");
    }

    @Test
    void plansAnewAtOnceAfterARefresh() {
        Pace pace = new Pace();
        pace.planned(POLICY, waits(4, 4, 4, 0), NOTHING);
        assertFalse(pace.isDue(POLICY, waits(4, 4, 4, 1_000)));
        pace.refreshed();
        assertTrue(pace.isDue(POLICY, waits(4, 4, 4, 2_000)));
        assertTrue(pace.isDue(POLICY, waits(4, 4, 4, 3_000)), "its policy has not planned yet");
        pace.planned(POLICY, waits(4, 4, 4, 3_000), NOTHING);
        assertFalse(pace.isDue(POLICY, waits(4, 4, 4, 4_000)));
    }

    private static Snapshot held(long gpusLeft, long nowMs) {
        ResourceVector gpu = ResourceVector.of(1, 1, 1);
        JobView job = new JobView(
                "j",
                0,
                List.of(new TaskGroup("worker", 1, 2, gpu, Set.of())),
                List.of(
                        new RunningTask("a", "worker", "n", gpu, List.of()),
                        new RunningTask("b", "worker", "n", gpu, List.of())),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
        ResourceVector limit = ResourceVector.of(gpusLeft, 8, 8);
        NodeView node = new NodeView(
                "n", "r", ResourceVector.of(4, 8, 8), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        return new Snapshot(
                nowMs, List.of(node), new QueueView("root.q", limit, ResourceVector.ZERO), List.of(job), false);
    }

    /** Others take back what the queue has borrowed. */
    @Test
    void plansAnewAtOnceWhenTheQueueHoldsMoreThanItMay() {
        Pace pace = new Pace();
        pace.planned(POLICY, held(3, 0), NOTHING);
        assertFalse(pace.isDue(POLICY, held(2, 1_000)), "what it holds fits");
        assertTrue(pace.isDue(POLICY, held(1, 1_000)));
        pace.planned(POLICY, held(1, 1_000), NOTHING);
        assertFalse(pace.isDue(POLICY, held(1, 2_000)), "it was planned with that");
    }
}
