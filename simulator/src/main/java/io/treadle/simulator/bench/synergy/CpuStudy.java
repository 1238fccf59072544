// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.report.Curves;
import io.treadle.simulator.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Servers with more CPUs: the share grows, and what there is to win beyond it shrinks. */
final class CpuStudy implements Study {
    private static final double HOUR = 3600;
    private static final List<Integer> CPUS = List.of(24, 32, 40, 48);
    private static final int GPUS = 8;
    private static final List<Integer> SPLIT = List.of(20, 70, 10);
    /** Means of the artifact's synergy-tune by load and CPUs; with 48 its table of speeds is not that of its profiles. */
    private static final Map<Double, List<String>> ARTIFACT =
            Map.of(8.0, List.of("15.25", "15.79", "16.17", "16.72"), 9.0, List.of("21.88", "32.1", "42.0", "54.1"));

    private final int seed;
    private final List<Double> loads;

    /** @param thorough whether to look also at a load at which there is less to win */
    CpuStudy(int seed, boolean thorough) {
        this.seed = seed;
        this.loads = thorough ? List.of(8.0, 9.0) : List.of(9.0);
    }

    private Setting setting(double load, int cpus, Rules rules) {
        return new Setting(new JobList(load, SPLIT, JobList.SINGLE, seed), Servers.withCpus(cpus), "fifo", rules);
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (double load : loads) {
            for (int cpus : CPUS) {
                wanted.put(setting(load, cpus, Rules.THEIRS), List.of(Allocations.PROPORTIONAL, Allocations.TUNE));
                wanted.put(setting(load, cpus, Rules.OURS), Allocations.MAIN);
            }
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("work", "CPUs per GPU", "simulated"));
        head.addAll(Allocations.MAIN);
        head.addAll(List.of("tune ÷ balanced", "artifact"));
        rows.add(head);
        for (double load : loads) {
            for (int cpus : CPUS) {
                for (Rules rules : List.of(Rules.THEIRS, Rules.OURS)) {
                    rows.add(row(figures, load, cpus, rules));
                }
            }
        }
        return List.of(new Section(
                "cpus",
                "Mean job completion time by CPUs per GPU, h",
                "Each job takes as long at its share as on servers of 3 CPUs per GPU. Artifact: its synergy-tune with"
                        + " tables of speeds for each ratio that are rounded by hand, and for 6 do not follow from its"
                        + " profiles; ours follow from the profiles.",
                rows,
                List.of(plot(figures, loads.get(loads.size() - 1)))));
    }

    private List<String> row(Figures figures, double load, int cpus, Rules rules) {
        Setting setting = setting(load, cpus, rules);
        List<String> row = new ArrayList<>(
                List.of("fifo " + setting.list().words(), SweepPoint.text((double) cpus / GPUS), rules.words()));
        row.add(Texts.hours(figures.meanHours(setting, Allocations.PROPORTIONAL)));
        row.add(Texts.hours(figures.meanHours(setting, Allocations.TUNE)));
        if (rules == Rules.THEIRS) {
            row.addAll(
                    List.of("–", "–", Objects.requireNonNull(ARTIFACT.get(load)).get(CPUS.indexOf(cpus))));
        } else {
            double balanced = figures.meanHours(setting, Allocations.BALANCED);
            row.addAll(List.of(
                    Texts.hours(balanced), Texts.times(figures.meanHours(setting, Allocations.TUNE) / balanced), "–"));
        }
        return row;
    }

    private Curves plot(Figures figures, double load) {
        List<Curves.Curve> curves = new ArrayList<>();
        for (String allocation : Allocations.MAIN) {
            curves.add(new Curves.Curve(
                    Allocations.ALL.indexOf(allocation),
                    CPUS.stream().map(cpus -> (double) cpus / GPUS).toList(),
                    CPUS.stream()
                            .map(cpus -> HOUR * figures.meanHours(setting(load, cpus, Rules.OURS), allocation))
                            .toList()));
        }
        return new Curves(
                "Mean JCT over CPUs per GPU, fifo " + SweepPoint.text(load) + "/h, ours", Curves.Scale.TIME, curves);
    }

    @Override
    public List<Compared> compared(Figures figures) {
        List<Compared> compared = new ArrayList<>();
        for (double load : loads) {
            for (int cpus : CPUS.subList(1, CPUS.size())) {
                Setting setting = setting(load, cpus, Rules.OURS);
                compared.add(Compared.least(
                        "fifo " + setting.list().words() + ", " + SweepPoint.text((double) cpus / GPUS)
                                + " CPUs per GPU, ours: mean JCT of " + Allocations.BALANCED + " beside "
                                + Allocations.TUNE,
                        figures.meanHours(setting, Allocations.BALANCED),
                        figures.meanHours(setting, Allocations.TUNE),
                        "h"));
            }
        }
        return compared;
    }
}
