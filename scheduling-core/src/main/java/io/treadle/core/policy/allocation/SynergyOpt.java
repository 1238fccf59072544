// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.placement.Wishes;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Synergy's OPT (OSDI 2022, §4.1) for real nodes: which sizes would be best if all nodes were one ({@link ClusterOptimum})
 * tells the placement what jobs are to become; each job is charged the least at which it is as fast as at its
 * GPU-proportional share and placed, whole on a node where it fits; then the best sizes are found for the jobs of each node
 * ({@link NodeOptimum}). So no job is slower than at its share, whoever would run at shares runs, and no GPU is ever shared
 * or left out for the sake of a fraction.
 */
public final class SynergyOpt implements Allocation {
    /** Where tasks hold what they ask for, nothing is left to hand out. */
    private static final Allocation AS_ASKED = new Proportional();

    private final Weighting weighting;

    public SynergyOpt() {
        this(false);
    }

    /** @param published whether jobs count alike and only points of their profiles are chosen, as in Synergy's artifact */
    public SynergyOpt(boolean published) {
        weighting = published ? Weighting.BY_JOB : Weighting.BY_GPUS;
    }

    @Override
    public String name() {
        return "synergy-opt";
    }

    @Override
    public void serve(Round round, Iterable<JobView> ordered, boolean strict) {
        Sizes sizes = round.sizes();
        if (sizes.areAsAsked()) {
            AS_ASKED.serve(round, ordered, strict);
            return;
        }
        List<JobView> starting = LeastFirst.chargeWhole(round, ordered);
        List<JobView> next = byGpus(round, starting);
        // Where nobody starts, or there is one node, there is nowhere to choose.
        boolean isChoice = !next.isEmpty() && round.ledger().nodes().size() > 1;
        serve(
                round,
                starting,
                strict,
                isChoice ? Optional.of(ClusterOptimum.of(round, next, weighting)) : Optional.empty());
        ElasticStart.grow(round, ordered, grant -> LeastFirst.least(sizes, grant.job()));
        MarginalGains.handOut(round, GainRules.optimal(weighting));
        round.tell(() -> ClusterOptimum.of(round, List.of(), weighting).throughput(round));
    }

    /** Those that would start if GPUs were all that mattered. */
    private static List<JobView> byGpus(Round round, List<JobView> starting) {
        List<JobView> chosen = new ArrayList<>();
        long left = round.ledger().openFreeGpus();
        for (JobView job : starting) {
            long gpus = Round.missing(job).stream()
                    .mapToLong(group -> group.ask().gpus())
                    .sum();
            if (gpus > 0 && gpus <= left) {
                chosen.add(job);
                left -= gpus;
            }
        }
        return chosen;
    }

    private static void serve(Round round, List<JobView> starting, boolean strict, Optional<ClusterOptimum> optimum) {
        Wishes wishes = Wishes.none(round.ledger());
        for (Grant grant : round.grants()) {
            wish(round, wishes, optimum, grant);
        }
        boolean isOpen = true;
        for (JobView job : starting) {
            Placement where = round.placement()
                    .towards(wishes.of(
                            best(round.sizes(), optimum, job), round.sizes().speeds(job)));
            if (isOpen
                    && round.hasGpusFor(job)
                    && (round.tryGrant(job, LeastFirst.least(round.sizes(), job), Grant.Level.SHARE, where)
                            || AskStart.tryStart(round, job))) {
                round.grant(job).ifPresent(grant -> wish(round, wishes, optimum, grant));
            } else {
                round.grantInPlace(job, LeastFirst.least(round.sizes(), job));
                isOpen &= !strict;
            }
        }
    }

    private static void wish(Round round, Wishes wishes, Optional<ClusterOptimum> optimum, Grant grant) {
        for (Grant.Task task : grant.tasks()) {
            if (Sizes.isProfiled(grant.job(), task.group())) {
                ResourceVector best = best(round.sizes(), optimum, grant.job())
                        .size(task.group(), round.ledger().node(task.node()));
                wishes.add(task.node(), task.size(), best);
            }
        }
    }

    /** What a task would have if all nodes were one; all that it could use where that is not known. */
    private static TaskSizer best(Sizes sizes, Optional<ClusterOptimum> optimum, JobView job) {
        Optional<ResourceVector> target = optimum.flatMap(sizing -> sizing.target(job));
        return (group, node) -> target.filter(size -> isFirstProfiled(job, group))
                .map(size -> size.max(sizes.least(job, group, node)))
                .orElseGet(() -> sizes.demandSpread(job, group, node));
    }

    private static boolean isFirstProfiled(JobView job, TaskGroup group) {
        return job.groups().stream()
                .filter(one -> Sizes.isProfiled(job, one))
                .findFirst()
                .equals(Optional.of(group));
    }
}
