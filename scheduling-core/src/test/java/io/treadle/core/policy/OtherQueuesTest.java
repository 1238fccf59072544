// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two queues on a node of 8 GPUs with 4 vcores each. */
class OtherQueuesTest {
    private static final ResourceVector ALL = ResourceVector.of(8, 32, 65536);
    private static final ResourceVector ASK = ResourceVector.of(1, 1, 1024);
    /** Faster up to 20 vcores. */
    private static final SensitivityMatrix HUNGRY =
            SensitivityMatrix.overVcores(new long[] {1, 4, 20}, new double[] {1, 4, 20});

    private static final NodeView NODE =
            new NodeView("n", "", ALL, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);

    private static Plan plan(String policy, NodeView node, QueueView queue, List<RunningTask> running) {
        JobView job = new JobView(
                "job",
                0,
                List.of(new TaskGroup("worker", 1, 1, ASK, Set.of())),
                running,
                Optional.of(HUNGRY),
                false,
                Progress.NONE,
                Set.of());
        Snapshot snapshot = new Snapshot(0, List.of(node), queue, List.of(job), false);
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, PolicyRegistry.BUILT_IN.placement("auto"))
                .plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
        return plan;
    }

    /** While others wait, 7 GPUs are free and keep 28 of the 32 vcores. */
    @ParameterizedTest
    @CsvSource({
        "fifo+synergy-balanced, false, 20",
        "fifo+synergy-balanced, true, 4",
        "fifo+synergy-tune, false, 20",
        "fifo+synergy-tune, true, 4"
    })
    void whatIsHeldBeyondTheShareGoesBackWhileOthersWait(String policy, boolean othersWait, long vcores) {
        QueueView queue = new QueueView("root.a", ALL, ResourceVector.ZERO).withOthersWaiting(othersWait);
        RunningTask task = new RunningTask("t", "worker", "n", ASK.withVcores(20), List.of());
        Decision decision = plan(policy, NODE, queue, List.of(task)).decisions().get(0);
        assertEquals(vcores, decision.sizes().getOrDefault("t", task.size()).vcores());
    }

    /** Of 32 vcores a task of another queue holds 20, of which 16 are beyond its share: 12 are free, and the share is 4. */
    @ParameterizedTest
    @CsvSource({"fifo+proportional, 4", "fifo+synergy-tune, 12", "fifo+synergy-balanced, 12"})
    void whatAnotherQueueHoldsBeyondItsSharesIsNobodysShare(String policy, long vcores) {
        ResourceVector held = ASK.withVcores(20);
        NodeView node = new NodeView("n", "", ALL, held, NODE.asShare(ASK, held), ResourceVector.ZERO, List.of(), true);
        assertEquals(4, node.share(1).vcores());
        Decision.Run run =
                (Decision.Run) plan(policy, node, new QueueView("root.b", ALL, ResourceVector.ZERO), List.of())
                        .decisions()
                        .get(0);
        assertEquals(vcores, run.tasks().get(0).size().vcores());
    }

    /** A task that asks for 11 vcores will never give them back: 21 are left for 7 GPUs and its own one, 2 each. */
    @Test
    void whatAnotherQueuesTaskAsksForIsNotToBeShared() {
        ResourceVector ask = ASK.withVcores(11);
        assertEquals(ResourceVector.of(1, 0, 1024), NODE.asShare(ask, ask));
        NodeView node = new NodeView("n", "", ALL, ask, NODE.asShare(ask, ask), ResourceVector.ZERO, List.of(), true);
        assertEquals(2, node.share(1).vcores());
        assertEquals(ResourceVector.ZERO, NODE.asShare(ResourceVector.of(0, 4, 1024), ResourceVector.of(0, 4, 1024)));
    }
}
