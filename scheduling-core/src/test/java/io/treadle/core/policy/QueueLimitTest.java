// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue that may hold half of a node of 8 GPUs with 4 vcores each; its ApplicationMasters run elsewhere. */
class QueueLimitTest {
    private static final ResourceVector ALL = ResourceVector.of(8, 32, 65536);
    private static final ResourceVector ASK = ResourceVector.of(1, 1, 1024);
    private static final ResourceVector LIMIT = ResourceVector.of(4, 16, 32768);

    private static Snapshot snapshot(ResourceVector othersUse, int count, List<RunningTask> running) {
        return snapshot(othersUse, count, running, ResourceVector.ZERO, Optional.empty());
    }

    private static Snapshot snapshot(
            ResourceVector othersUse,
            int count,
            List<RunningTask> running,
            ResourceVector keptFree,
            Optional<SensitivityMatrix> speed) {
        NodeView node = new NodeView("n1", "r1", ALL, ResourceVector.ZERO, keptFree, List.of(), true);
        JobView job = new JobView(
                "job",
                0,
                List.of(new TaskGroup("worker", count, count, ASK, Set.of())),
                running,
                speed,
                false,
                Progress.NONE,
                Set.of());
        return new Snapshot(0, List.of(node), new QueueView("root.x", LIMIT, othersUse), List.of(job), false);
    }

    private static Plan plan(String policy, Snapshot snapshot) {
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, PolicyRegistry.BUILT_IN.placement("consolidate"))
                .plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
        return plan;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "srtf+synergy-tune", "srtf+synergy-balanced", "srtf+synergy-opt"})
    void gangWhoseShareIsMoreThanTheQueueHasLeftStartsWithItsAskAndIsRaised(String policy) {
        ResourceVector master = ResourceVector.of(0, 1, 1024);
        Decision.Run run = assertInstanceOf(
                Decision.Run.class,
                plan(policy, snapshot(master, 4, List.of())).decisions().get(0));
        List<RunningTask> running = new ArrayList<>();
        run.tasks().forEach(task -> {
            assertEquals(ASK, task.size());
            running.add(new RunningTask("t" + running.size(), "worker", "n1", task.size(), List.of()));
        });
        assertEquals(4, running.size());

        Decision raised = plan(policy, snapshot(master, 4, running)).decisions().get(0);
        assertEquals(
                15,
                raised.sizes().values().stream()
                        .mapToLong(ResourceVector::vcores)
                        .sum());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "srtf+synergy-tune", "srtf+synergy-balanced", "srtf+synergy-opt"})
    void gangWhoseShareTheQueueMayHoldStartsWithIt(String policy) {
        Decision.Run run = assertInstanceOf(
                Decision.Run.class,
                plan(policy, snapshot(ResourceVector.ZERO, 4, List.of()))
                        .decisions()
                        .get(0));
        assertTrue(run.tasks().stream().allMatch(task -> task.size().vcores() == 4), run.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "srtf+synergy-tune", "srtf+synergy-balanced", "srtf+synergy-opt"})
    void gangThatAsksForMoreThanTheQueueMayHoldWaits(String policy) {
        assertInstanceOf(
                Decision.Wait.class,
                plan(policy, snapshot(ResourceVector.ZERO, 5, List.of()))
                        .decisions()
                        .get(0));
    }

    /** Two tasks could use all vcores of the node. What it keeps free for others is of no use to them where the queue is full. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fifo+proportional",
                "srtf+synergy-greedy",
                "srtf+synergy-tune",
                "srtf+synergy-balanced",
                "srtf+synergy-opt"
            })
    void whatIsKeptFreeOnTheNodeIsKeptBelowTheLimitToo(String policy) {
        SensitivityMatrix speed = SensitivityMatrix.overVcores(new long[] {1, 8, 16}, new double[] {1, 8, 16});
        ResourceVector held = ResourceVector.of(1, 7, 1024);
        Plan plan = plan(
                policy,
                snapshot(
                        ResourceVector.of(0, 1, 1024),
                        2,
                        List.of(
                                new RunningTask("t0", "worker", "n1", held, List.of()),
                                new RunningTask("t1", "worker", "n1", held, List.of())),
                        ResourceVector.of(0, 3, 0),
                        Optional.of(speed)));
        long sum = plan.decisions().get(0).sizes().values().stream()
                .mapToLong(ResourceVector::vcores)
                .sum();
        assertTrue(sum > 0 && sum <= 16 - 1 - 3, plan.toString());
    }

    /** The queue has room for the share, and not for what is kept free beside it: the ask is all that a start may need. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "srtf+synergy-tune", "srtf+synergy-balanced", "srtf+synergy-opt"})
    void gangStartsWithItsAskWhereWhatIsKeptFreeLeavesNoRoomForItsShare(String policy) {
        for (Optional<SensitivityMatrix> speed : List.of(
                Optional.<SensitivityMatrix>empty(),
                Optional.of(SensitivityMatrix.overVcores(new long[] {1, 8, 16}, new double[] {1, 8, 16})))) {
            Decision decision = plan(
                            policy,
                            snapshot(ResourceVector.of(0, 7, 1024), 2, List.of(), ResourceVector.of(0, 6, 0), speed))
                    .decisions()
                    .get(0);
            Decision.Run run = assertInstanceOf(Decision.Run.class, decision);
            assertEquals(2, run.tasks().size());
        }
    }
}
