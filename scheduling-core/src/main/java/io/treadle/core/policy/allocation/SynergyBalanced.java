// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.placement.TaskSpeed;
import io.treadle.core.placement.Wishes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * First each job is charged the least at which it is as fast as at its GPU-proportional share, so that whoever finds GPUs
 * runs, on the nodes that best keep their proportion of CPU and memory to GPUs ({@link NearLine}: a job goes before another
 * that came just before it where it fits better). Then what is left goes, step by step, where it makes jobs fastest
 * ({@link MarginalGains}). No job is slower than at its share.
 */
public final class SynergyBalanced implements Allocation {
    /** Where tasks hold what they ask for, nothing is left to hand out. */
    private static final Allocation AS_ASKED = new Proportional();

    private final GainRules rules;

    public SynergyBalanced() {
        this(GainRules.STEPS);
    }

    private SynergyBalanced(GainRules rules) {
        this.rules = rules;
    }

    /** One that lacks something: to see what that is worth. */
    public static SynergyBalanced without(Part part) {
        return new SynergyBalanced(new GainRules(Set.of(part), Optional.empty()));
    }

    @Override
    public String name() {
        return rules.without().stream()
                .map(part -> "-without-" + part.text())
                .collect(Collectors.joining("", "synergy-balanced", ""));
    }

    @Override
    public void serve(Round round, Iterable<JobView> ordered, boolean strict) {
        Sizes sizes = round.sizes();
        if (sizes.areAsAsked()) {
            AS_ASKED.serve(round, ordered, strict);
            return;
        }
        List<JobView> starting = LeastFirst.chargeWhole(round, ordered);
        Wishes wishes = Wishes.none(round.ledger());
        round.grants().forEach(grant -> wish(round, wishes, grant));
        serveLine(round, wishes, starting, strict);
        ElasticStart.grow(round, ordered, grant -> LeastFirst.least(sizes, grant.job()));
        MarginalGains.handOut(round, rules);
    }

    private void serveLine(Round round, Wishes wishes, List<JobView> starting, boolean strict) {
        Sizes sizes = round.sizes();
        NearLine line = new NearLine(round, starting, job -> placement(round, wishes, job)
                .misfit(job, Round.missing(job), LeastFirst.least(sizes, job), round.ledger()));
        boolean isOpen = true;
        while (!line.isEmpty()) {
            JobView job = rules.has(Part.NEAR_LINE) ? line.next() : line.first();
            if (isOpen && round.hasGpusFor(job) && tryStart(round, wishes, job)) {
                line.granted();
            } else {
                round.grantInPlace(job, LeastFirst.least(sizes, job));
                isOpen &= !strict;
            }
        }
    }

    private boolean tryStart(Round round, Wishes wishes, JobView job) {
        if (round.tryGrant(
                job, LeastFirst.least(round.sizes(), job), Grant.Level.SHARE, placement(round, wishes, job))) {
            round.grant(job).ifPresent(grant -> wish(round, wishes, grant));
            return true;
        }
        return AskStart.tryStart(round, job);
    }

    private Placement placement(Round round, Wishes wishes, JobView job) {
        Sizes sizes = round.sizes();
        return round.placement()
                .towards(
                        rules.has(Part.SPREAD)
                                ? wishes.of((group, node) -> sizes.demandSpread(job, group, node), sizes.speeds(job))
                                : wishes.of((group, node) -> sizes.demand(job, group, node), TaskSpeed.UNKNOWN));
    }

    private static void wish(Round round, Wishes wishes, Grant grant) {
        // What a gang could use beyond what one node has, others need not leave to it.
        TaskSizer demand = new LastSize((group, node) -> round.sizes().demand(grant.job(), group, node));
        for (Grant.Task task : grant.tasks()) {
            if (Sizes.isProfiled(grant.job(), task.group())) {
                wishes.add(
                        task.node(),
                        task.size(),
                        demand.size(task.group(), round.ledger().node(task.node())));
            }
        }
    }
}
