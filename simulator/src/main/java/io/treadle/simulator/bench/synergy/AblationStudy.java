// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What each addition is worth alone: the same work with one thing more or less. */
final class AblationStudy implements Study {
    /**
     * A row.
     *
     * @param words what it is, for people
     */
    private record Variant(String words, Rules rules, String allocation) {}

    private static final List<Variant> VARIANTS = List.of(
            new Variant("proportional shares", Rules.OURS, Allocations.PROPORTIONAL),
            new Variant(
                    "published rule, a job's GPUs anywhere, spread jobs 20 % slower",
                    Rules.OURS_SCATTERED, Allocations.TUNE),
            new Variant(
                    "published rule, whole on servers, spread jobs 20 % slower", Rules.OURS_PAYING, Allocations.TUNE),
            new Variant("the same where spreading is free", Rules.OURS, Allocations.TUNE),
            new Variant("all of ours, spread jobs 20 % slower", Rules.OURS_PAYING, Allocations.BALANCED),
            new Variant("all of ours where spreading is free", Rules.OURS, Allocations.BALANCED));

    private final List<Work> works;

    /** @param works a column each */
    AblationStudy(List<Work> works) {
        this.works = List.copyOf(works);
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Work work : works) {
            for (Variant variant : VARIANTS) {
                wanted.computeIfAbsent(work.setting(variant.rules()), key -> new ArrayList<>())
                        .add(variant.allocation());
            }
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("variant"));
        works.forEach(work -> head.add(work.words()));
        rows.add(head);
        for (Variant variant : VARIANTS) {
            List<String> row = new ArrayList<>(List.of(variant.words()));
            works.forEach(work ->
                    row.add(Texts.hours(figures.meanHours(work.setting(variant.rules()), variant.allocation()))));
            rows.add(row);
        }
        return List.of(new Section(
                "ablation",
                "What each addition is worth: mean job completion time, h",
                "Simulated: ours.",
                rows,
                List.of()));
    }

    @Override
    public List<Compared> compared(Figures figures) {
        return List.of();
    }
}
