// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.Choices;
import io.treadle.core.solve.Chosen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Several sizes for each job, of which it gets one or none: the multiple-choice knapsack by its Lagrangian dual, whose value
 * is the certificate's bound. The dual is solved by column generation, which finds its best value where a subgradient only
 * comes near it.
 */
final class MenuChooser implements Chooser {
    private final SmdRules rules;
    private final Sizer sizer;

    MenuChooser(SmdRules rules) {
        this.rules = rules;
        this.sizer = new SumOfRatios(rules.epsilon());
    }

    @Override
    public boolean fillsUp() {
        return rules.backfill();
    }

    @Override
    public Admission choose(Pool pool) {
        ResourceVector offered = pool.offered(rules.capacityFactor());
        List<List<Sized>> menus = new ArrayList<>();
        List<Choices.Kind> kinds = new ArrayList<>();
        for (PsJob job : pool.jobs()) {
            List<Sized> menu = menu(job, offered, pool);
            if (!menu.isEmpty()) {
                List<Choices.Option> options = new ArrayList<>();
                options.add(new Choices.Option(0, new long[Shares.RESOURCES]));
                for (Sized one : menu) {
                    options.add(new Choices.Option(profit(one), amounts(one.use())));
                }
                menus.add(menu);
                kinds.add(new Choices.Kind(1, options));
            }
        }
        Chosen chosen = new Choices(kinds, amounts(offered)).solve();
        List<Sized> admitted = new ArrayList<>();
        for (int k = 0; k < kinds.size(); k++) {
            int[] counts = chosen.counts(k);
            for (int o = 1; o < counts.length; o++) {
                if (counts[o] > 0) {
                    admitted.add(menus.get(k).get(o - 1));
                }
            }
        }
        admitted.sort(Comparator.comparingDouble(one -> -one.worth() / pool.share(one.use())));
        return new Admission(admitted, Optional.of(new Certificate(chosen.value(), chosen.bound(), true)));
    }

    private double profit(Sized one) {
        boolean stays = one.job().held().map(one.size()::equals).orElse(false);
        return one.worth() * (stays ? 1 + rules.sticky() : 1);
    }

    private static long[] amounts(ResourceVector vector) {
        double[] amounts = Shares.amounts(vector);
        long[] whole = new long[amounts.length];
        for (int i = 0; i < whole.length; i++) {
            whole[i] = (long) amounts[i];
        }
        return whole;
    }

    /** Its fastest sizes under the whole of its cap, a half, a quarter and an eighth, and what it can do with at least. */
    private List<Sized> menu(PsJob job, ResourceVector offered, Pool pool) {
        Optional<PsSize> best = sizer.size(job, job.cap().min(offered));
        if (best.isEmpty()) {
            return List.of();
        }
        Worth worth = new Worth(job, best.get(), rules);
        Set<PsSize> sizes = new LinkedHashSet<>();
        sizes.add(best.get());
        sizes.add(Trim.of(job, worth, pool, rules.trimDelta()));
        for (int part = 2; part <= 8; part *= 2) {
            sizer.size(job, job.cap().share(1, part).min(offered)).ifPresent(sizes::add);
        }
        sizes.add(job.least());
        job.held().filter(held -> job.use(held).fitsIn(offered)).ifPresent(sizes::add);
        List<Sized> all = sizes.stream()
                .map(size -> new Sized(job, size, worth.at(size)))
                .sorted(Comparator.comparingDouble(Sized::worth).reversed())
                .toList();
        List<Sized> menu = new ArrayList<>();
        for (Sized one : all) {
            // What is worth no more and takes no less is no choice.
            if (menu.stream().noneMatch(other -> other.use().fitsIn(one.use()) && profit(other) >= profit(one))) {
                menu.add(one);
            }
        }
        return menu;
    }
}
