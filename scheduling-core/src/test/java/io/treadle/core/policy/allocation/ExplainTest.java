// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For each job what it has, what it could use, why not more, and what it costs others. */
class ExplainTest {
    private static final Policy POLICY = PolicyRegistry.BUILT_IN.policy(
            "fifo+synergy-balanced", PolicyRegistry.BUILT_IN.placement(PolicyRegistry.DEFAULT_PLACEMENT));

    /**
     * Shares are 3000 MiB. One job makes nothing of more than 1000, so 2000 are left: they go to the one to which they bring
     * 5 + 1 instead of 5, and not to the one to which they would bring 4.25 + 0.25.
     */
    @Test
    void whoGotTheMemoryIsNamed() {
        Plan plan = plan(
                ResourceVector.of(3, 12, 9_000),
                job("flat", 3_000, memory(4, 4)),
                job("winner", 3_000, memory(4, 8)),
                job("loser", 3_000, memory(4, 5)));
        assertEquals(
                "has its GPU-proportional share, 1 GPU, 4 vcores, 3000 MiB for each task: 2000 MiB went to job winner,"
                        + " which is 1.2 times as fast for them",
                reason(plan, "loser"));
        assertEquals(
                "has 1 GPU, 4 vcores, 5000 MiB for each task, all that its nodes have room for; it could use 4 vcores and"
                        + " 9000 MiB of memory",
                reason(plan, "winner"));
        assertEquals("has 1 GPU, 4 vcores, 1000 MiB for each task, all that it can use", reason(plan, "flat"));
    }

    /** Nine vcores, shares of four: the ninth makes one a quarter faster, and would make the other an eighth faster. */
    @Test
    void whatAJobCostsOthersIsSaid() {
        Plan plan = plan(
                ResourceVector.of(2, 9, 2_000),
                job("winner", 1_000, SensitivityMatrix.overVcores(new long[] {4, 5}, new double[] {4, 5})),
                job("loser", 1_000, SensitivityMatrix.overVcores(new long[] {4, 9}, new double[] {4, 6.5})));
        assertEquals(
                "has 1 GPU, 5 vcores, 1000 MiB for each task, all that it can use; 1 of its vcores would make job loser 1.1"
                        + " times as fast",
                reason(plan, "winner"));
        assertEquals(
                "has its GPU-proportional share, 1 GPU, 4 vcores, 1000 MiB for each task: 1 went to job winner, which is 1.3"
                        + " times as fast for it",
                reason(plan, "loser"));
    }

    /** As above, but with 5000 MiB the winner has all that it can use, and the loser would make 4.5 instead of 4.25 of 2000. */
    @Test
    void whatAJobsMemoryCostsOthersIsSaid() {
        Plan plan = plan(
                ResourceVector.of(3, 12, 9_000),
                job("flat", 3_000, memory(4, 4)),
                job("winner", 3_000, new SensitivityMatrix(new long[] {4}, new long[] {1_000, 5_000}, new double[][] {
                    {4, 8}
                })),
                job("loser", 3_000, memory(4, 5)));
        assertEquals(
                "has 1 GPU, 4 vcores, 5000 MiB for each task, all that it can use; 2000 MiB of its memory would make job"
                        + " loser 1.1 times as fast",
                reason(plan, "winner"));
    }

    /**
     * Shares are 80 MB/s. One job reads nothing, so 80 are left: 70 to the one that comes first, which is then 150/80 times as
     * fast, and 10 to the other, which 30 more would make 120/90 times as fast.
     */
    @Test
    void whoGotTheStorageBandwidthIsNamed() {
        Plan plan = plan(
                ResourceVector.of(3, 12, 3_000).withStorageMBps(240),
                job("flat", 1_000, reading(0)),
                job("first", 1_000, reading(150)),
                job("second", 1_000, reading(120)));
        assertEquals(
                "has 1 GPU, 4 vcores, 1000 MiB, 150 MB/s for each task, all that it can use; 30 MB/s of its storage"
                        + " bandwidth would make job second 1.3 times as fast",
                reason(plan, "first"));
        assertEquals(
                "has 90 of 120 useful MB/s for each task (1 GPU, 4 vcores, 1000 MiB, 90 MB/s): 70 MB/s went to job first,"
                        + " which is 1.9 times as fast for them",
                reason(plan, "second"));
    }

    /** @param storageMBps what a task reads from storage at its speed */
    private static SensitivityMatrix reading(double storageMBps) {
        return new SensitivityMatrix(
                new long[] {4}, new long[] {1_000}, new double[][] {{10}}, new double[][] {{storageMBps}});
    }

    private static SensitivityMatrix memory(double least, double most) {
        return new SensitivityMatrix(new long[] {4}, new long[] {1_000, 9_000}, new double[][] {{least, most}});
    }

    private static String reason(Plan plan, String job) {
        return plan.of(job).orElseThrow().reason().text();
    }

    private static Plan plan(ResourceVector capacity, JobView... jobs) {
        NodeView node = new NodeView("n1", "r", capacity, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        QueueView queue = new QueueView("root.q", capacity, ResourceVector.ZERO);
        return POLICY.plan(new Snapshot(0, List.of(node), queue, List.of(jobs), true));
    }

    private static JobView job(String id, long memoryMiB, SensitivityMatrix profile) {
        ResourceVector ask = ResourceVector.of(1, 1, 1_000);
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("worker", 1, 1, ask, Set.of())),
                List.of(new RunningTask(id + "-0", "worker", "n1", ResourceVector.of(1, 4, memoryMiB), List.of())),
                Optional.of(profile),
                false,
                Progress.NONE,
                Set.of());
    }
}
