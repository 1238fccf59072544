// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** How long jobs take under each allocation, work by work. */
final class MeanStudy implements Study {
    private static final double HOUR = 3600;

    private final List<Work> works;

    MeanStudy(List<Work> works) {
        this.works = List.copyOf(works);
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Work work : works) {
            work.rules().forEach(rules -> wanted.put(work.setting(rules), Allocations.ALL));
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        return List.of(
                new Section(
                        "mean",
                        "Mean job completion time, h",
                        "Times over the last two columns: how many times as long jobs take under synergy-tune, and at"
                                + " proportional shares, as under " + Allocations.BALANCED
                                + " in the same simulator. Artifact: mean of its synergy-tune as known for this very"
                                + " work.",
                        means(figures),
                        plots(figures)),
                new Section(
                        "p99",
                        "99 % of jobs are done within, h",
                        "From submission to end, over the same jobs.",
                        rows(figures::p99Hours),
                        List.of()));
    }

    private List<List<String>> means(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = head();
        head.addAll(List.of("tune ÷ balanced", "proportional ÷ balanced", "artifact"));
        rows.add(head);
        for (Work work : works) {
            for (Rules rules : work.rules()) {
                Setting setting = work.setting(rules);
                List<String> row = row(work, rules, figures::meanHours);
                double balanced = figures.meanHours(setting, Allocations.BALANCED);
                row.add(Texts.times(figures.meanHours(setting, Allocations.TUNE) / balanced));
                row.add(Texts.times(figures.meanHours(setting, Allocations.PROPORTIONAL) / balanced));
                row.add(work.known(rules, Allocations.TUNE).orElse("–"));
                rows.add(row);
            }
        }
        return rows;
    }

    private List<List<String>> rows(ToDoubleBiFunction<Setting, String> hours) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head());
        works.forEach(work -> work.rules().forEach(rules -> rows.add(row(work, rules, hours))));
        return rows;
    }

    private static List<String> head() {
        List<String> head = new ArrayList<>(List.of("work", "simulated"));
        head.addAll(Allocations.ALL);
        return head;
    }

    private static List<String> row(Work work, Rules rules, ToDoubleBiFunction<Setting, String> hours) {
        List<String> row = new ArrayList<>(List.of(work.words(), rules.words()));
        Allocations.ALL.forEach(
                allocation -> row.add(Texts.hours(hours.applyAsDouble(work.setting(rules), allocation))));
        return row;
    }

    /** Over the load, where one mix comes at several. */
    private List<Curves> plots(Figures figures) {
        Map<List<Object>, List<Work>> mixes = new LinkedHashMap<>();
        works.stream()
                .sorted(Comparator.comparingDouble(work -> work.list().jobsPerHour()))
                .forEach(work -> mixes.computeIfAbsent(
                                List.of(
                                        work.order(),
                                        work.list().split(),
                                        work.list().gpus()),
                                key -> new ArrayList<>())
                        .add(work));
        return mixes.values().stream()
                .filter(mix -> mix.size() > 1)
                .map(mix -> plot(mix, figures))
                .toList();
    }

    private static Curves plot(List<Work> mix, Figures figures) {
        List<Curves.Curve> curves = new ArrayList<>();
        for (String allocation : Allocations.ALL) {
            curves.add(new Curves.Curve(
                    curves.size(),
                    mix.stream().map(work -> work.list().jobsPerHour()).toList(),
                    mix.stream()
                            .map(work -> HOUR * figures.meanHours(work.setting(Rules.OURS), allocation))
                            .toList()));
        }
        Work first = mix.get(0);
        return new Curves(
                String.format(
                        Locale.ROOT,
                        "Mean JCT over jobs per hour, %s (%s), ours",
                        first.order(),
                        first.list().splitBy(",")),
                Curves.Scale.TIME,
                curves);
    }

    @Override
    public List<Compared> compared(Figures figures) {
        List<Compared> compared = new ArrayList<>();
        for (Work work : works) {
            Setting ours = work.setting(Rules.OURS);
            compared.add(Compared.least(
                    work.words() + ": mean JCT of " + Allocations.BALANCED + ", ours, beside " + Allocations.TUNE
                            + " in its own simulator",
                    figures.meanHours(ours, Allocations.BALANCED),
                    figures.meanHours(work.setting(work.rules().get(0)), Allocations.TUNE),
                    "h"));
            for (Rules rules : work.rules()) {
                for (String theirs : List.of(Allocations.TUNE, Allocations.PROPORTIONAL)) {
                    Setting setting = work.setting(rules);
                    compared.add(Compared.least(
                            work.words() + ", " + rules.words() + ": mean JCT of " + Allocations.BALANCED + " beside "
                                    + theirs,
                            figures.meanHours(setting, Allocations.BALANCED),
                            figures.meanHours(setting, theirs),
                            "h"));
                }
            }
        }
        return compared;
    }
}
