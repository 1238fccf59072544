// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.ExactKnapsack;
import io.treadle.core.solve.KnapsackItems;
import io.treadle.core.solve.MultiKnapsack;
import io.treadle.core.solve.Packed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One size for each job, and a knapsack of jobs. */
final class SmdChooser implements Chooser {
    /** Relaxations that the exact search looks at. */
    private static final long EXACT_NODES = 200_000;

    private final SmdRules rules;
    private final Sizer sizer;
    private final boolean trims;
    private final boolean isExact;

    private SmdChooser(SmdRules rules, Sizer sizer, boolean trims, boolean isExact) {
        this.rules = rules;
        this.sizer = sizer;
        this.trims = trims;
        this.isExact = isExact;
    }

    /** Each job at the smallest size that is worth nearly as much as its fastest. */
    static SmdChooser trimmed(SmdRules rules) {
        return new SmdChooser(rules, new SumOfRatios(rules.epsilon()), true, false);
    }

    /** Each job at its fastest size, as published. */
    static SmdChooser plain(SmdRules rules) {
        return new SmdChooser(rules, new SumOfRatios(rules.epsilon()), false, false);
    }

    /** The best choice of jobs, each at its fastest size. For few jobs. */
    static SmdChooser exact(SmdRules rules) {
        return new SmdChooser(rules, new Enumeration(), false, true);
    }

    @Override
    public boolean fillsUp() {
        return rules.backfill() && !isExact;
    }

    @Override
    public Admission choose(Pool pool) {
        ResourceVector offered = pool.offered(rules.capacityFactor());
        List<Sized> sized = new ArrayList<>();
        for (PsJob job : pool.jobs()) {
            size(job, pool, offered).ifPresent(sized::add);
        }
        double[] profits = sized.stream()
                .mapToDouble(one -> one.worth() * (one.job().runs() ? 1 + rules.sticky() : 1))
                .toArray();
        KnapsackItems items = Knapsack.of(sized, profits, offered);
        Packed packed = isExact
                ? ExactKnapsack.solve(items, EXACT_NODES)
                : MultiKnapsack.solve(items, rules.guesses(), rules.steps());
        List<Sized> admitted = packed.items().stream()
                .mapToObj(sized::get)
                .sorted(Comparator.comparingDouble(one -> -one.worth() / pool.share(one.use())))
                .toList();
        return new Admission(admitted, Optional.of(new Certificate(packed.value(), packed.bound(), packed.finished())));
    }

    private Optional<Sized> size(PsJob job, Pool pool, ResourceVector offered) {
        return sizer.size(job, job.cap().min(offered)).map(best -> {
            Worth worth = new Worth(job, best, rules);
            PsSize size = trims ? Trim.of(job, worth, pool, rules.trimDelta()) : best;
            PsSize kept = kept(job, size, pool, offered);
            return new Sized(job, kept, worth.at(kept));
        });
    }

    /** The size that it has, unless another saves more time than the change costs, or gives back much. */
    private static PsSize kept(PsJob job, PsSize wanted, Pool pool, ResourceVector offered) {
        if (job.held().isEmpty()
                || job.held().get().equals(wanted)
                || !job.use(job.held().get()).fitsIn(offered)) {
            return wanted;
        }
        PsSize held = job.held().get();
        boolean isFaster = job.secondsLeft(held) - job.secondsLeft(wanted) > 2 * pool.rescaleSeconds();
        boolean isSmaller = pool.share(job.use(wanted)) < 0.9 * pool.share(job.use(held));
        return isFaster || isSmaller ? wanted : held;
    }
}
