// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Hundreds of random clusters whose jobs read: no plan gives out more than a node or the shared file system has, counted here
 * once more, and no job starts slower than at its share of both. A failure names the seed that shows it again.
 */
class StorageIsNeverOverdrawnTest {
    private static final int SEEDS = 600;
    private static final int ROUNDS = 6;

    @ParameterizedTest
    @CsvSource({
        "fifo+proportional, first-fit",
        "srtf+synergy-tune, consolidate",
        "las+synergy-greedy, first-fit",
        "srtf+synergy-balanced, auto",
        "fifo+synergy-balanced, first-fit",
        "srtf+synergy-opt, auto",
    })
    void noPlanOverdraws(String policyName, String placementName) {
        Policy policy = PolicyRegistry.BUILT_IN.policy(policyName, PolicyRegistry.BUILT_IN.placement(placementName));
        long binds = 0;
        long granted = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            ReadingClusters cluster = new ReadingClusters(seed);
            for (int round = 0; round < ROUNDS; round++) {
                Snapshot snapshot = cluster.snapshot();
                Plan plan = policy.plan(snapshot);
                String where = policyName + " " + placementName + ", seed " + seed + ", round " + round;
                assertEquals(List.of(), PlanVerifier.problems(snapshot, plan), where);
                Map<String, Long> held = held(snapshot, plan);
                long all = held.values().stream().mapToLong(Long::longValue).sum();
                granted += all;
                for (NodeView node : snapshot.nodes()) {
                    long has = node.capacity().storageMBps() - node.othersUse().storageMBps();
                    assertTrue(held.getOrDefault(node.id(), 0L) <= has, () -> where + ", node " + node.id());
                }
                if (snapshot.sharedStorage().isPresent()) {
                    long elsewhere = snapshot.sharedStorage().get().elsewhereMBps();
                    long others = snapshot.nodes().stream()
                            .mapToLong(n -> n.othersUse().storageMBps())
                            .sum();
                    long has = snapshot.sharedStorage().get().megabytesPerSecond() - elsewhere - others;
                    assertTrue(all <= Math.max(0, has), () -> where + ": " + all + " of " + has + " MB/s");
                    binds += has - all < 10 ? 1 : 0;
                }
                assertNoneStartsBelowItsShare(snapshot, plan, where);
                cluster.next(plan);
            }
        }
        assertTrue(granted > SEEDS, "hardly anything is read: " + granted);
        assertTrue(binds > SEEDS / 20, "the shared file system is hardly ever used up: " + binds);
    }

    private static Map<String, Long> held(Snapshot snapshot, Plan plan) {
        Map<String, Long> held = new HashMap<>();
        for (JobView job : snapshot.jobs()) {
            Decision decision = plan.of(job.id()).orElseThrow();
            for (RunningTask task : job.tasks()) {
                ResourceVector size = decision.sizes().getOrDefault(task.id(), task.size());
                held.merge(task.nodeId(), size.storageMBps(), Long::sum);
            }
            if (decision instanceof Decision.Run run) {
                run.tasks()
                        .forEach(task -> held.merge(task.nodeId(), task.size().storageMBps(), Long::sum));
            }
        }
        return held;
    }

    private static void assertNoneStartsBelowItsShare(Snapshot snapshot, Plan plan, String where) {
        for (JobView job : snapshot.jobs()) {
            if (job.profile().isEmpty() || !(plan.of(job.id()).orElseThrow() instanceof Decision.Run run)) {
                continue;
            }
            SensitivityMatrix speed = job.profile().get();
            for (TaskPlacement task : run.tasks()) {
                NodeView node = snapshot.nodes().stream()
                        .filter(n -> n.id().equals(task.nodeId()))
                        .findFirst()
                        .orElseThrow();
                ResourceVector ask = job.group(task.group()).ask();
                ResourceVector share = node.share(ask.gpus());
                long memory = snapshot.memoryShared() && speed.coversMemory() ? share.memoryMiB() : 0;
                long storage = snapshot.sharedStorage()
                        .map(s -> s.shareMBps(s.inSharesMBps(snapshot.nodes()), ask.gpus()))
                        .orElse(Long.MAX_VALUE);
                boolean told = node.capacity().storageMBps() > 0;
                double atShare = speed.at(
                        Math.max(ask.vcores(), share.vcores()),
                        Math.max(ask.memoryMiB(), memory),
                        told ? Math.max(ask.storageMBps(), Math.min(share.storageMBps(), storage)) : Long.MAX_VALUE);
                double starts = speed.at(
                        task.size().vcores(),
                        task.size().memoryMiB(),
                        told ? task.size().storageMBps() : Long.MAX_VALUE);
                boolean atAsk = ask.vcores() == 0 || task.size().equals(ask);
                assertTrue(
                        ask.gpus() == 0 || atAsk || starts >= atShare - 1e-9,
                        () -> where + ": " + job.id() + " starts with "
                                + task.size().describe() + " at " + starts + ", at its share it would be " + atShare);
            }
        }
    }
}
