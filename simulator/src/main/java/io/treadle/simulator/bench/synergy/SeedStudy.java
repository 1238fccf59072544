// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.report.Curves;
import io.treadle.simulator.result.SeedMean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** How sure the figures are: the same work drawn from several seeds. */
final class SeedStudy implements Study {
    private static final double HOUR = 3600;

    private final List<Work> works;
    private final int seeds;

    /** @param seeds how many, from that of the works on */
    SeedStudy(List<Work> works, int seeds) {
        this.works = List.copyOf(works);
        this.seeds = seeds;
    }

    private List<Setting> settings(Work work) {
        Setting first = work.setting(Rules.OURS);
        return IntStream.range(0, seeds)
                .mapToObj(i -> first.on(work.list().withSeed(work.list().seed() + i)))
                .toList();
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        works.forEach(work -> settings(work).forEach(setting -> wanted.put(setting, Allocations.MAIN)));
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("work"));
        head.addAll(Allocations.MAIN);
        head.add("balanced − tune");
        rows.add(head);
        for (Work work : works) {
            List<String> row = new ArrayList<>(List.of(work.words()));
            Allocations.MAIN.forEach(allocation -> row.add(text(mean(figures, work, allocation))));
            row.add(text(difference(figures, work)));
            rows.add(row);
        }
        return List.of(new Section(
                "seeds",
                "Mean job completion time over " + seeds + " seeds, h",
                "With 95 % confidence intervals by Student's t; the last column is of the differences seed by seed. In"
                        + " Synergy's generator a seed decides when jobs of one GPU come; how long they run is the same for"
                        + " all seeds. Simulated: ours.",
                rows,
                plots(figures)));
    }

    private static String text(SeedMean mean) {
        return Texts.plusMinus(mean.mean(), mean.halfWidth());
    }

    private SeedMean mean(Figures figures, Work work, String allocation) {
        return over(settings(work).stream()
                .map(setting -> figures.meanHours(setting, allocation))
                .toList());
    }

    /** Below 0 where ours is better. */
    private SeedMean difference(Figures figures, Work work) {
        return over(settings(work).stream()
                .map(setting ->
                        figures.meanHours(setting, Allocations.BALANCED) - figures.meanHours(setting, Allocations.TUNE))
                .toList());
    }

    private static SeedMean over(List<Double> values) {
        return SeedMean.of(List.copyOf(values)).orElseThrow();
    }

    /** Of jobs of one GPU under fifo, over the load. */
    private List<Curves> plots(Figures figures) {
        List<Work> loads = works.stream()
                .filter(work ->
                        work.order().equals("fifo") && work.list().gpus().equals(JobList.SINGLE))
                .sorted((a, b) ->
                        Double.compare(a.list().jobsPerHour(), b.list().jobsPerHour()))
                .toList();
        if (loads.size() < 2) {
            return List.of();
        }
        List<Curves.Curve> curves = new ArrayList<>();
        for (String allocation : Allocations.MAIN) {
            List<SeedMean> means =
                    loads.stream().map(work -> mean(figures, work, allocation)).toList();
            curves.add(new Curves.Curve(
                    Allocations.ALL.indexOf(allocation),
                    loads.stream().map(work -> work.list().jobsPerHour()).toList(),
                    means.stream().map(mean -> HOUR * mean.mean()).toList(),
                    means.stream().map(mean -> HOUR * mean.halfWidth()).toList()));
        }
        return List.of(new Curves(
                "Mean JCT over jobs per hour, fifo, " + seeds + " seeds with 95 % intervals",
                Curves.Scale.TIME,
                curves));
    }

    @Override
    public List<Compared> compared(Figures figures) {
        return works.stream()
                .map(work -> Compared.least(
                        work.words() + ", ours, " + seeds + " seeds: mean JCT of " + Allocations.BALANCED + " beside "
                                + Allocations.TUNE,
                        mean(figures, work, Allocations.BALANCED).mean(),
                        mean(figures, work, Allocations.TUNE).mean(),
                        "h"))
                .toList();
    }
}
