// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.placement.Placement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Thousands of random clusters: no plan of any policy breaks a rule. A failure names the seed that shows it again. */
class EveryPolicyKeepsTheRulesTest {
    private static final int SEEDS = 1500;
    private static final int ROUNDS = 6;

    @ParameterizedTest
    @CsvSource({
        "fifo+proportional, first-fit",
        "srtf+proportional, consolidate",
        "fifo+synergy-tune, first-fit",
        "fifo+synergy-tune, consolidate",
        "srtf+synergy-tune, consolidate",
        "las+synergy-greedy, first-fit",
        "gittins+proportional, consolidate",
        "2d-las+synergy-tune, best-fit",
        "ftf+proportional, best-fit",
        "drf+synergy-tune, consolidate",
        "tetris+synergy-tune, first-fit",
        "srsf+proportional, consolidate",
        "srtf+synergy-tune, fgd",
        "fifo+proportional, dot-product",
        "lsf+synergy-tune, free-gpu",
        "fifo+synergy-tune, packed",
        "fifo+synergy-tune, buddy",
        "fifo+synergy-balanced, auto",
        "srtf+synergy-balanced, balanced",
        "las+synergy-balanced, first-fit",
        "fifo+synergy-tune, auto",
        "fifo+synergy-opt, auto",
        "srtf+synergy-opt, first-fit",
    })
    void keepsTheRules(String policyName, String placementName) {
        Placement placement = PolicyRegistry.BUILT_IN.placement(placementName);
        Policy policy = PolicyRegistry.BUILT_IN.policy(policyName, placement);
        int started = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomClusters cluster = new RandomClusters(seed);
            for (int round = 0; round < ROUNDS; round++) {
                Snapshot snapshot = cluster.snapshot();
                Plan plan = policy.plan(snapshot);
                String where = policyName + " " + placementName + ", seed " + seed + ", round " + round;
                assertEquals(List.of(), PlanVerifier.problems(snapshot, plan), where);
                assertEquals(plan, policy.plan(snapshot), () -> where + ": the same snapshot gave another plan");
                assertEquals(List.of(), slowerThanAtShare(snapshot, plan), where);
                started += (int) plan.decisions().stream()
                        .filter(d -> d instanceof Decision.Run)
                        .count();
                cluster.next(plan);
            }
        }
        int total = started;
        assertTrue(total > SEEDS, () -> "the random clusters hardly start anything: " + total);
    }

    /**
     * Jobs that start and would run slower than at their GPU-proportional share, though their queue and user may hold
     * that.
     */
    static List<String> slowerThanAtShare(Snapshot snapshot, Plan plan) {
        List<String> slow = new ArrayList<>();
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
                ResourceVector share = node.share(task.size().gpus());
                ResourceVector ask = job.group(task.group()).ask();
                long memory = snapshot.memoryShared() ? share.memoryMiB() : ask.memoryMiB();
                if (ask.gpus() > 0
                        && !startsAtAsk(run, job)
                        && speed.at(task.size().vcores(), task.size().memoryMiB())
                                < speed.at(share.vcores(), memory) - 1e-9) {
                    slow.add(job.id() + " gets " + task.size().describe() + " on " + node.id() + ", its share is "
                            + share.describe());
                }
            }
        }
        return slow;
    }

    /**
     * Only where its queue or user has no room for its share: QueueLimitTest holds it to that. One that asks for no CPU
     * starts with an even part of what there is, at most its share.
     */
    private static boolean startsAtAsk(Decision.Run run, JobView job) {
        return run.tasks().stream().allMatch(t -> {
            ResourceVector ask = job.group(t.group()).ask();
            return ask.vcores() == 0 || t.size().equals(ask);
        });
    }
}
