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
import java.util.Optional;

/** How long jobs take under each allocation, work by work. */
final class MeanStudy implements Study {
    private static final double HOUR = 3600;
    private static final String NONE = "–";

    private final List<Work> works;
    private final boolean thorough;

    /** @param thorough whether to simulate also what says little */
    MeanStudy(List<Work> works, boolean thorough) {
        this.works = List.copyOf(works);
        this.thorough = thorough;
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Work work : works) {
            work.rules().forEach(rules -> wanted.put(work.setting(rules), work.allocations(rules, thorough)));
            wanted.put(work.setting(Rules.BOUND), work.allocations(Rules.BOUND, thorough));
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        return List.of(
                new Section(
                        "mean",
                        "Mean job completion time, h",
                        "Bound: Synergy's OPT in its rounds, which takes all servers as one; no placement on 16 can"
                                + " keep to it for certain, and it holds for its rounds and orders alone. Times over the"
                                + " next two columns: how many times as long jobs take under synergy-tune, and at"
                                + " proportional shares, as under " + Allocations.BALANCED
                                + " in the same simulator. Artifact: mean of its synergy-tune as known for this very"
                                + " work.",
                        means(figures),
                        plots(figures)),
                new Section(
                        "p99",
                        "99 % of jobs are done within, h",
                        "From submission to end, over the same jobs.",
                        p99(figures),
                        List.of()));
    }

    private List<List<String>> means(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = head();
        head.addAll(List.of("bound", "tune ÷ balanced", "proportional ÷ balanced", "artifact"));
        rows.add(head);
        for (Work work : works) {
            for (Rules rules : work.rules()) {
                List<String> row = new ArrayList<>(List.of(work.words(), rules.words()));
                Allocations.ALL.forEach(allocation -> row.add(text(mean(figures, work, rules, allocation))));
                row.add(text(rules.isTheirs() ? bound(figures, work) : Optional.empty()));
                row.add(ratio(figures, work, rules, Allocations.TUNE));
                row.add(ratio(figures, work, rules, Allocations.PROPORTIONAL));
                row.add(work.known(rules, Allocations.TUNE).orElse(NONE));
                rows.add(row);
            }
        }
        return rows;
    }

    private static Optional<Double> mean(Figures figures, Work work, Rules rules, String allocation) {
        return figures.known(work.setting(rules, allocation), allocation);
    }

    private static Optional<Double> bound(Figures figures, Work work) {
        return figures.known(work.setting(Rules.BOUND), Allocations.OPT);
    }

    private static String text(Optional<Double> hours) {
        return hours.map(Texts::hours).orElse(NONE);
    }

    private static String ratio(Figures figures, Work work, Rules rules, String allocation) {
        Optional<Double> balanced = mean(figures, work, rules, Allocations.BALANCED);
        return mean(figures, work, rules, allocation)
                .flatMap(theirs -> balanced.map(ours -> Texts.times(theirs / ours)))
                .orElse(NONE);
    }

    private List<List<String>> p99(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head());
        for (Work work : works) {
            for (Rules rules : work.rules()) {
                List<String> row = new ArrayList<>(List.of(work.words(), rules.words()));
                for (String allocation : Allocations.ALL) {
                    Setting setting = work.setting(rules, allocation);
                    row.add(
                            figures.known(setting, allocation).isPresent()
                                    ? Texts.hours(figures.p99Hours(setting, allocation))
                                    : NONE);
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static List<String> head() {
        List<String> head = new ArrayList<>(List.of("work", "simulated"));
        head.addAll(Allocations.ALL);
        return head;
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
        for (String allocation : Allocations.MAIN) {
            curves.add(new Curves.Curve(
                    Allocations.ALL.indexOf(allocation),
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
            String ours = ": mean JCT of " + Allocations.BALANCED;
            compared.add(Compared.least(
                    work.words() + ours + ", ours, beside " + Allocations.TUNE + " in its own simulator",
                    figures.meanHours(work.setting(Rules.OURS), Allocations.BALANCED),
                    figures.meanHours(work.setting(Rules.THEIRS), Allocations.TUNE),
                    "h"));
            compared.add(Compared.least(
                    work.words() + ", " + Rules.THEIRS.words() + ours + " beside the bound",
                    figures.meanHours(work.setting(Rules.THEIRS), Allocations.BALANCED),
                    figures.meanHours(work.setting(Rules.BOUND), Allocations.OPT),
                    "h"));
            for (Rules rules : work.rules()) {
                for (String theirs : List.of(Allocations.TUNE, Allocations.PROPORTIONAL)) {
                    compared.add(Compared.least(
                            work.words() + ", " + rules.words() + ours + " beside " + theirs,
                            figures.meanHours(work.setting(rules, Allocations.BALANCED), Allocations.BALANCED),
                            figures.meanHours(work.setting(rules, theirs), theirs),
                            "h"));
                }
            }
        }
        return compared;
    }
}
