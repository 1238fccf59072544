// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.core.policy.allocation.Part;
import io.treadle.simulator.bench.Compared;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What each addition is worth: the same work with one thing less. */
final class AblationStudy implements Study {
    /**
     * A row.
     *
     * @param words what it is, for people
     */
    private record Variant(String words, Rules rules, String allocation) {}

    private static final Variant ALL = new Variant("all of ours", Rules.OURS_PAYING, Allocations.BALANCED);

    private static final List<Variant> VARIANTS = List.of(
            ALL,
            new Variant(
                    "in strict order: who comes next is not chosen by what fits",
                    Rules.OURS_PAYING,
                    Allocations.without(Part.NEAR_LINE)),
            new Variant(
                    "no marginal gains: in order, all that a job can use or its share",
                    Rules.OURS_PAYING,
                    Allocations.without(Part.MARGINAL_GAINS)),
            new Variant(
                    "no sizes between points: leftovers that do not reach the next stay idle",
                    Rules.OURS_PAYING,
                    Allocations.without(Part.BETWEEN_POINTS)),
            new Variant(
                    "no hysteresis: sizes change for any gain",
                    Rules.OURS_PAYING,
                    Allocations.without(Part.HYSTERESIS)),
            new Variant(
                    "gangs on several nodes only where none takes them whole",
                    Rules.OURS_PAYING,
                    Allocations.without(Part.SPREAD)),
            new Variant("nodes chosen by GPUs alone, not by their proportion", Rules.OURS_TIGHT, Allocations.BALANCED),
            new Variant("nothing consolidated: first fit", Rules.OURS_SCATTERED, Allocations.BALANCED),
            new Variant("published rule, first fit", Rules.OURS_SCATTERED, Allocations.TUNE),
            new Variant("published rule, whole on servers", Rules.OURS_PAYING, Allocations.TUNE));

    private final List<Work> works;

    /** @param works two columns each */
    AblationStudy(List<Work> works) {
        this.works = List.copyOf(works);
    }

    /** Where no job is spread it does not matter what that costs. */
    private static Setting setting(Work work, Variant variant) {
        boolean isSingle = work.list().gpus().equals(JobList.SINGLE);
        return work.setting(isSingle && variant.rules() == Rules.OURS_PAYING ? Rules.OURS : variant.rules());
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Work work : works) {
            for (Variant variant : VARIANTS) {
                wanted.computeIfAbsent(setting(work, variant), key -> new ArrayList<>())
                        .add(variant.allocation());
            }
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("variant"));
        works.forEach(work -> head.addAll(List.of(work.words(), "longer by")));
        rows.add(head);
        for (Variant variant : VARIANTS) {
            List<String> row = new ArrayList<>(List.of(variant.words()));
            for (Work work : works) {
                double all = figures.meanHours(setting(work, ALL), ALL.allocation());
                double here = figures.meanHours(setting(work, variant), variant.allocation());
                row.add(Texts.hours(here));
                row.add(variant.equals(ALL) ? "" : String.format(Locale.ROOT, "%+.1f %%", 100 * (here / all - 1)));
            }
            rows.add(row);
        }
        return List.of(new Section(
                "ablation",
                "What each addition is worth: mean job completion time without it, h",
                "Simulated: ours, with spread jobs 20 % slower.",
                rows,
                List.of()));
    }

    @Override
    public List<Compared> compared(Figures figures) {
        return List.of();
    }
}
