// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one user may hold of a queue, on one node of 8 GPUs with 4 vcores each. */
class UserLimitTest {
    private static final ResourceVector ASK = ResourceVector.of(1, 2, 1024);
    private static final ResourceVector ALL = ResourceVector.of(8, 32, 65536);

    private static Snapshot snapshot(ResourceVector aliceMayHold, JobView... jobs) {
        List<NodeView> nodes =
                List.of(new NodeView("n1", "r1", ALL, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true));
        UserView alice = new UserView("alice", aliceMayHold, ResourceVector.ZERO, Set.of("a1", "a2"));
        return new Snapshot(
                0,
                nodes,
                new QueueView("root.x", ALL, ResourceVector.ZERO, List.of(alice), false),
                List.of(jobs),
                false);
    }

    private static JobView job(String id, int tasks, RunningTask... running) {
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("worker", tasks, tasks, ASK, Set.of())),
                List.of(running),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
    }

    private static RunningTask[] running(int count, long vcores) {
        RunningTask[] tasks = new RunningTask[count];
        for (int i = 0; i < count; i++) {
            tasks[i] = new RunningTask("t" + i, "worker", "n1", ASK.withVcores(vcores), List.of());
        }
        return tasks;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void gangAboveItsUsersLimitWaitsAndSaysSo(String policy) {
        Snapshot snapshot = snapshot(
                ResourceVector.of(4, 32, 65536), job("a1", 4, running(4, 4)), job("a2", 2), job("of another", 2));
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, PolicyRegistry.BUILT_IN.placement(PolicyRegistry.DEFAULT_PLACEMENT))
                .plan(snapshot);
        Decision.Wait wait = assertInstanceOf(Decision.Wait.class, plan.of("a2").orElseThrow());
        assertEquals(
                "Gang 0/2: user alice may hold 4 GPUs of queue root.x, holds 4 GPUs, this gang needs 2 GPUs",
                wait.reason().text());
        assertInstanceOf(Decision.Run.class, plan.of("of another").orElseThrow(), "another user's job goes past it");
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void lastTaskOfAGangMayGoAboveAsInCapacityScheduler(String policy) {
        Snapshot snapshot = snapshot(ResourceVector.of(4, 32, 65536), job("a1", 3, running(3, 4)), job("a2", 2));
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, PolicyRegistry.BUILT_IN.placement(PolicyRegistry.DEFAULT_PLACEMENT))
                .plan(snapshot);
        assertInstanceOf(Decision.Run.class, plan.of("a2").orElseThrow());
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void runningTasksGrowNoFurtherThanTheLimit(String policy) {
        Snapshot snapshot = snapshot(ResourceVector.of(4, 6, 65536), job("a1", 2, running(2, 2)));
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, PolicyRegistry.BUILT_IN.placement(PolicyRegistry.DEFAULT_PLACEMENT))
                .plan(snapshot);
        long vcores = plan.of("a1").orElseThrow().sizes().values().stream()
                .mapToLong(ResourceVector::vcores)
                .sum();
        assertEquals(6, vcores, "their share would be 4 each");
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void planThatGivesAUserMoreIsRefused(int tasks) {
        Snapshot snapshot = snapshot(ResourceVector.of(1, 32, 65536), job("a1", tasks));
        List<TaskPlacement> placements =
                java.util.Collections.nCopies(tasks, new TaskPlacement("worker", "n1", ASK, List.of()));
        Plan plan = new Plan(List.of(new Decision.Run(
                "a1", placements, Map.of(), new io.treadle.core.explain.Reason.Starts(tasks, ResourceVector.ZERO))));
        List<String> problems = PlanVerifier.problems(snapshot, plan);
        assertEquals(tasks > 2, !problems.isEmpty(), problems::toString);
        assertTrue(
                problems.stream().allMatch(p -> p.startsWith("user alice may hold 1 GPU, 32 vcores, 65536 MiB")),
                problems::toString);
    }
}
