// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlanRepairTest {
    private static final int SEEDS = 1500;
    private static final Reason REASON = new Reason.AtShare("", "");

    private final Policy policy =
            PolicyRegistry.BUILT_IN.policy("srtf+synergy-tune", PolicyRegistry.BUILT_IN.placement("consolidate"));

    @Test
    void goodPlansStayAsTheyAre() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Snapshot snapshot = new RandomClusters(seed).snapshot();
            Plan plan = policy.plan(snapshot);
            assertEquals(new PlanRepair.Result(plan, Map.of(), List.of()), PlanRepair.repair(snapshot, plan, false));
        }
    }

    /** A plan whose decision for one job is spoilt: that job stays as it is, nothing is broken any more. */
    @Test
    void oneBadDecisionDoesNotSpoilThePlan() {
        int others = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomClusters cluster = new RandomClusters(seed);
            cluster.next(policy.plan(cluster.snapshot()));
            Snapshot snapshot = cluster.snapshot();
            Plan plan = policy.plan(snapshot);
            Random random = new Random(seed);
            Plan spoilt = spoilt(snapshot, plan, random);
            String where = "seed " + seed;
            PlanRepair.Result result = PlanRepair.repair(snapshot, spoilt, false);
            assertEquals(List.of(), result.broken(), where);
            assertEquals(List.of(), PlanVerifier.problems(snapshot, result.plan()), where);
            assertEquals(snapshot.jobs().size(), result.plan().decisions().size(), where);
            for (Decision decision : result.plan().decisions()) {
                if (!result.dropped().containsKey(decision.jobId())) {
                    assertTrue(spoilt.decisions().contains(decision), where + ": " + decision);
                    others++;
                }
            }
        }
        assertTrue(others > SEEDS, "hardly any decision stood: " + others);
    }

    @Test
    void aBadDecisionIsNamedWithItsRule() {
        Snapshot snapshot = new RandomClusters(3).snapshot();
        String job = snapshot.jobs().get(0).id();
        Optional<Certificate> certificate = Optional.of(new Certificate(3, 4, true));
        Plan plan = new Plan(
                policy.plan(snapshot).decisions().stream()
                        .filter(d -> !d.jobId().equals(job))
                        .toList(),
                Optional.of(new Throughput(1, 2)),
                certificate);
        PlanRepair.Result result = PlanRepair.repair(snapshot, plan, false);
        assertEquals(Map.of(job, "job " + job + " is not decided"), result.dropped());
        assertEquals(
                new Reason.Withheld("job " + job + " is not decided"),
                result.plan().of(job).orElseThrow().reason());
        assertEquals(plan.throughput(), result.plan().throughput(), "what the policy tells stands");
        assertEquals(certificate, result.plan().certificate());
    }

    private static Plan spoilt(Snapshot snapshot, Plan plan, Random random) {
        List<Decision> decisions = new ArrayList<>(plan.decisions());
        int victim = random.nextInt(decisions.size());
        Decision decision = decisions.get(victim);
        JobView job = snapshot.jobs().stream()
                .filter(j -> j.id().equals(decision.jobId()))
                .findFirst()
                .orElseThrow();
        switch (random.nextInt(4)) {
            case 0 -> decisions.remove(victim);
            case 1 -> decisions.add(decision);
            case 2 -> decisions.set(victim, new Decision.Wait(job.id(), REASON));
            default -> decisions.set(victim, new Decision.Resize(job.id(), grown(job, random), REASON));
        }
        return new Plan(decisions);
    }

    private static Map<String, ResourceVector> grown(JobView job, Random random) {
        Map<String, ResourceVector> sizes = new HashMap<>();
        for (RunningTask task : job.tasks()) {
            sizes.put(task.id(), task.size().plus(ResourceVector.of(random.nextInt(2), random.nextInt(100), 0)));
        }
        return sizes;
    }
}
