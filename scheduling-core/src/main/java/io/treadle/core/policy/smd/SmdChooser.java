// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.ExactKnapsack;
import io.treadle.core.solve.KnapsackItems;
import io.treadle.core.solve.MultiKnapsack;
import io.treadle.core.solve.Packed;
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
    private final Profit profit;
    private final boolean isExact;

    private SmdChooser(SmdRules rules, Sizer sizer, boolean trims, Profit profit, boolean isExact) {
        this.rules = rules;
        this.sizer = sizer;
        this.trims = trims;
        this.profit = profit;
        this.isExact = isExact;
    }

    /** Each job at the smallest size that is worth nearly as much as its fastest, by what an hour of it brings. */
    static SmdChooser trimmed(SmdRules rules) {
        return new SmdChooser(rules, new SumOfRatios(rules.epsilon()), true, Profit.AN_HOUR, false);
    }

    /** Each job at its fastest size, as published. */
    static SmdChooser plain(SmdRules rules) {
        return new SmdChooser(rules, new SumOfRatios(rules.epsilon()), false, Profit.WORTH, false);
    }

    /** The best choice of jobs, each at its fastest size. For few jobs. */
    static SmdChooser exact(SmdRules rules) {
        return new SmdChooser(rules, new Enumeration(), false, Profit.WORTH, true);
    }

    @Override
    public boolean fillsUp() {
        return rules.backfill() && !isExact;
    }

    @Override
    public Admission choose(Pool pool) {
        Offers offers = Offers.of(pool, sizer, rules, fillsUp());
        List<Sized> sized = offers.jobs().stream()
                .map(worth -> sized(worth, pool, offers.room()))
                .toList();
        KnapsackItems items = Knapsack.of(sized, offers.room());
        Packed packed = isExact
                ? ExactKnapsack.solve(items, EXACT_NODES)
                : MultiKnapsack.solve(items, rules.guesses(), rules.steps());
        List<Sized> admitted = packed.items().stream()
                .mapToObj(sized::get)
                .sorted(Comparator.comparingDouble(one -> -one.density(pool)))
                .toList();
        return new Admission(
                admitted,
                sized,
                offers.late(),
                Optional.of(new Certificate(packed.value(), packed.bound(), packed.finished())));
    }

    private Sized sized(Worth worth, Pool pool, ResourceVector room) {
        PsJob job = worth.job();
        PsSize size = kept(worth, trims ? Trim.of(worth, pool, rules.trimDelta()) : worth.best(), pool, room);
        double sticky = job.runs() ? 1 + rules.sticky() : 1;
        return new Sized(job, size, worth.at(size), sticky * profit.of(worth, size));
    }

    /**
     * The size that it has, unless another saves more time than the change costs, or is smaller and not so near the least that
     * the job may be worth that it would soon be too small. What it has grown to in room that nobody needed counts as no size
     * of its own: it is kept where the room is still there.
     */
    private PsSize kept(Worth worth, PsSize wanted, Pool pool, ResourceVector room) {
        PsJob job = worth.job();
        if (job.held().isEmpty()
                || job.held().get().equals(wanted)
                || !job.use(job.held().get()).fitsIn(room)) {
            return wanted;
        }
        PsSize held = job.held().get();
        boolean isFaster = job.secondsLeft(held) - job.secondsLeft(wanted) > 2 * pool.rescaleSeconds();
        boolean isSmaller = pool.share(job.use(wanted)) < 0.9 * pool.share(job.use(held));
        boolean isPart = job.use(wanted).fitsIn(job.use(held));
        boolean isCalm = worth.at(wanted) >= (1 - rules.trimDelta() / 2) * worth.at(worth.best());
        return isFaster || ((isSmaller || isPart) && isCalm) ? wanted : held;
    }
}
