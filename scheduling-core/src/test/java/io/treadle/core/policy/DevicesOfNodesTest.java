// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
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
import org.junit.jupiter.api.Test;

class DevicesOfNodesTest {
    private static final ResourceVector ASK = ResourceVector.of(1, 1, 1024);

    private final Policy policy =
            PolicyRegistry.BUILT_IN.policy("fifo+synergy-tune", PolicyRegistry.BUILT_IN.placement("consolidate"));

    @Test
    void gangThatWantsAModelDoesNotStartWhereNobodyKnowsWhichItIs() {
        Snapshot unknown = snapshot(List.of(node("n1:1", List.of())), List.of(job("picky", Set.of("A100"))));
        Decision decision = policy.plan(unknown).of("picky").orElseThrow();
        assertTrue(decision instanceof Decision.Wait, decision::toString);
        assertEquals(
                "Gang 0/1: each task needs 1 GPU, 1 vcore, 1024 MiB of A100; which GPUs 1 node has is not known yet",
                decision.reason().text());

        Plan started = new Plan(List.of(new Decision.Run(
                "picky", List.of(new TaskPlacement("worker", "n1:1", ASK, List.of())), Map.of(), decision.reason())));
        assertEquals(
                List.of("job picky asks for 1 GPU, 1 vcore, 1024 MiB and gets devices []"),
                PlanVerifier.problems(unknown, started));

        Snapshot any = snapshot(List.of(node("n1:1", List.of())), List.of(job("content", Set.of())));
        assertTrue(policy.plan(any).of("content").orElseThrow() instanceof Decision.Run);
    }

    @Test
    void devicesOfTwoNodesMayBeNamedAlike() {
        List<DeviceView> devices = List.of(new DeviceView("GPU-0", "A100", 40960, 0, true));
        Snapshot snapshot = snapshot(
                List.of(node("n1:1", devices), node("n2:1", devices)),
                List.of(job("first", Set.of()), job("second", Set.of())));
        Plan plan = policy.plan(snapshot);
        assertTrue(plan.of("first").orElseThrow() instanceof Decision.Run);
        assertTrue(plan.of("second").orElseThrow() instanceof Decision.Run);
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
    }

    private static Snapshot snapshot(List<NodeView> nodes, List<JobView> jobs) {
        ResourceVector all = ResourceVector.of(2, 8, 16384);
        return new Snapshot(0, nodes, new QueueView("root.q", all, ResourceVector.ZERO), jobs, false);
    }

    private static NodeView node(String id, List<DeviceView> devices) {
        return new NodeView(
                id, "/rack", ResourceVector.of(1, 4, 8192), ResourceVector.ZERO, ResourceVector.ZERO, devices, true);
    }

    private static JobView job(String id, Set<String> gpuModels) {
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("worker", 1, 1, ASK, gpuModels)),
                List.of(),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
    }
}
