// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Consolidate;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes of four GPUs; how many tasks elastic jobs start with. */
class ElasticStartTest {
    private static final ResourceVector TASK = ResourceVector.of(1, 1, 256);

    private static JobView job(String id, int min, int max, int running) {
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("worker", min, max, TASK, Set.of())),
                IntStream.range(0, running)
                        .mapToObj(i -> new RunningTask(id + "-" + i, "worker", "n1", TASK, List.of()))
                        .toList(),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
    }

    /** Tasks that each of the jobs starts with. */
    private static List<Integer> starts(String policy, JobView... jobs) {
        List<NodeView> nodes = List.of(node("n1"), node("n2"));
        Snapshot snapshot = new Snapshot(
                0,
                nodes,
                new QueueView("root.ml", ResourceVector.of(8, 24, 16384), ResourceVector.ZERO),
                List.of(jobs),
                true);
        Plan plan = PolicyRegistry.BUILT_IN.policy(policy, new Consolidate()).plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
        return plan.decisions().stream()
                .map(d -> d instanceof Decision.Run run ? run.tasks().size() : 0)
                .toList();
    }

    private static NodeView node(String id) {
        return new NodeView(
                id, "r", ResourceVector.of(4, 12, 8192), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void startsWithAsManyAsFitUpToTheMaximum(String policy) {
        assertEquals(List.of(6), starts(policy, job("a", 2, 6, 0)));
        assertEquals(List.of(8), starts(policy, job("a", 2, 20, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void minimaComeFirst(String policy) {
        assertEquals(List.of(5, 3), starts(policy, job("a", 2, 20, 0), job("b", 3, 20, 0)));
        assertEquals(List.of(5, 3), starts(policy, job("a", 2, 20, 0), job("b", 3, 3, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void nothingIsTakenThatSomebodyWaitsFor(String policy) {
        assertEquals(List.of(2, 0), starts(policy, job("a", 2, 20, 0), job("b", 7, 7, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void aJobThatRunsKeepsItsNumber(String policy) {
        assertEquals(List.of(0), starts(policy, job("a", 2, 6, 3)));
        assertEquals(List.of(1), starts(policy, job("a", 2, 6, 1)), "what it lost is replaced, no more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced", "fifo+synergy-opt"})
    void theVerifierKnowsTheMaximum(String policy) {
        List<NodeView> nodes = List.of(node("n1"), node("n2"));
        QueueView queue = new QueueView("root.ml", ResourceVector.of(8, 24, 16384), ResourceVector.ZERO);
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, new Consolidate())
                .plan(new Snapshot(0, nodes, queue, List.of(job("a", 2, 6, 0)), true));
        assertFalse(PlanVerifier.problems(new Snapshot(0, nodes, queue, List.of(job("a", 2, 5, 0)), true), plan)
                .isEmpty());
    }
}
