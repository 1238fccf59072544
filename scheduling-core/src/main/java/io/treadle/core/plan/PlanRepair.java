// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes out of a plan what breaks a rule, so that one job that a policy cannot deal with does not hold up its queue:
 * such a job keeps what it has, the decisions for the others stand.
 */
public final class PlanRepair {
    private PlanRepair() {}

    /**
     * @param plan breaks none of the rules, but for {@code broken}
     * @param dropped the rule that each decision broke that was taken out, by job id
     * @param broken rules that are broken without any decision for a job being at fault
     */
    public record Result(Plan plan, Map<String, String> dropped, List<String> broken) {}

    /** @param mayStop whether jobs may be stopped, and go on elsewhere */
    public static Result repair(Snapshot snapshot, Plan plan, boolean mayStop) {
        Map<String, String> dropped = new LinkedHashMap<>();
        Plan repaired = plan;
        while (true) {
            List<PlanVerifier.Violation> violations = PlanVerifier.violations(snapshot, repaired, mayStop);
            int before = dropped.size();
            for (PlanVerifier.Violation violation : violations) {
                violation.jobIds().forEach(id -> dropped.putIfAbsent(id, violation.text()));
            }
            if (dropped.size() == before) {
                return new Result(
                        repaired,
                        dropped,
                        violations.stream().map(PlanVerifier.Violation::text).toList());
            }
            // A job that no longer shrinks may leave too little for one that was to grow: checked again.
            repaired = without(snapshot, plan, dropped);
        }
    }

    private static Plan without(Snapshot snapshot, Plan plan, Map<String, String> dropped) {
        Map<String, JobView> jobs = new LinkedHashMap<>();
        snapshot.jobs().forEach(job -> jobs.put(job.id(), job));
        Set<String> named = new LinkedHashSet<>();
        List<Decision> decisions = new ArrayList<>();
        for (Decision decision : plan.decisions()) {
            JobView job = jobs.get(decision.jobId());
            if (job != null && named.add(job.id())) {
                String rule = dropped.get(job.id());
                decisions.add(rule == null ? decision : asItIs(job, rule));
            }
        }
        jobs.values().stream()
                .filter(job -> !named.contains(job.id()))
                .forEach(job -> decisions.add(asItIs(job, dropped.getOrDefault(job.id(), ""))));
        return new Plan(decisions, plan.throughput(), plan.certificate());
    }

    private static Decision asItIs(JobView job, String rule) {
        Reason reason = new Reason.Withheld(rule);
        return job.running() ? new Decision.Resize(job.id(), Map.of(), reason) : new Decision.Wait(job.id(), reason);
    }
}
