// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.Choices;
import io.treadle.core.solve.Chosen;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final Profit profit;
    private final Sizer sizer;

    MenuChooser(SmdRules rules, Profit profit) {
        this.rules = rules;
        this.profit = profit;
        this.sizer = new SumOfRatios(rules.epsilon());
    }

    @Override
    public boolean fillsUp() {
        return rules.backfill();
    }

    @Override
    public Admission choose(Pool pool) {
        Offers offers = Offers.of(pool, sizer, rules, fillsUp());
        List<List<Sized>> menus = offers.jobs().stream()
                .map(worth -> menu(worth, pool, offers.room()))
                .toList();
        Chosen chosen = new Choices(menus.stream().map(MenuChooser::kind).toList(), amounts(offers.room()))
                .solve(rules.steps());
        List<Sized> admitted = new ArrayList<>();
        for (int k = 0; k < menus.size(); k++) {
            int[] counts = chosen.counts(k);
            for (int o = 1; o < counts.length; o++) {
                if (counts[o] > 0) {
                    admitted.add(menus.get(k).get(o - 1));
                }
            }
        }
        admitted.sort(Comparator.comparingDouble(one -> -one.density(pool)));
        return new Admission(
                admitted,
                menus.stream().flatMap(menu -> menu.stream().limit(1)).toList(),
                offers.late(),
                Optional.of(new Certificate(chosen.value(), chosen.bound(), chosen.finished())));
    }

    /** Nothing, or one of the menu. */
    private static Choices.Kind kind(List<Sized> menu) {
        List<Choices.Option> options = new ArrayList<>();
        options.add(new Choices.Option(0, new long[Shares.RESOURCES]));
        for (Sized one : menu) {
            options.add(new Choices.Option(one.profit(), amounts(one.use())));
        }
        return new Choices.Kind(1, options);
    }

    private static long[] amounts(ResourceVector vector) {
        return Arrays.stream(Shares.amounts(vector))
                .mapToLong(amount -> (long) amount)
                .toArray();
    }

    /** Its fastest sizes under the whole of its cap, a half, a quarter and an eighth, and what it can do with at least. */
    private List<Sized> menu(Worth worth, Pool pool, ResourceVector room) {
        PsJob job = worth.job();
        Set<PsSize> sizes = new LinkedHashSet<>();
        sizes.add(worth.best());
        sizes.add(Trim.of(worth, pool, rules.trimDelta()));
        for (int part = 2; part <= 8; part *= 2) {
            sizer.size(job, job.cap().share(1, part).min(room)).ifPresent(sizes::add);
        }
        sizes.add(job.least());
        job.held().filter(held -> job.use(held).fitsIn(room)).ifPresent(sizes::add);
        List<Sized> all = sizes.stream()
                .map(size -> sized(worth, size))
                .sorted(Comparator.comparingDouble(Sized::profit).reversed())
                .toList();
        List<Sized> menu = new ArrayList<>();
        for (Sized one : all) {
            // What brings no more and takes no less is no choice.
            if (menu.stream().noneMatch(other -> other.use().fitsIn(one.use()))) {
                menu.add(one);
            }
        }
        return menu;
    }

    private Sized sized(Worth worth, PsSize size) {
        boolean stays = worth.job().held().map(size::equals).orElse(false);
        double sticky = stays ? 1 + rules.sticky() : 1;
        return new Sized(worth.job(), size, worth.at(size), sticky * profit.of(worth, size));
    }
}
