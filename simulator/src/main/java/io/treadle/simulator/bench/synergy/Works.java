// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.ArrayList;
import java.util.List;

/** The work that is compared: that of the paper's figures, and the mixes and loads between and beyond. */
final class Works {
    private static final List<Integer> PAPER = List.of(20, 70, 10);
    private static final List<Integer> EVEN = List.of(33, 33, 33);
    private static final List<Integer> HUNGRY = List.of(50, 0, 50);
    private static final List<Rules> ONE_GPU = List.of(Rules.THEIRS, Rules.OURS);
    private static final List<Rules> SEVERAL_GPUS =
            List.of(Rules.THEIRS, Rules.THEIRS_WHOLE, Rules.OURS, Rules.OURS_PAYING);

    private Works() {}

    /** All of it, that of the abstract first. */
    static List<Work> all(int seed) {
        return List.of(
                single(seed, "fifo", 9, PAPER, "81.09", "24.98", "21.88", "18.33"),
                single(seed, "fifo", 8.75, PAPER, "68.34", "", "16.01", ""),
                single(seed, "fifo", 8.5, PAPER, "54.96", "", "15.41", ""),
                single(seed, "fifo", 8, PAPER, "27.43", "15.25", "15.25", "15.25"),
                single(seed, "fifo", 7, PAPER, "17.30", "15.25", "15.25", ""),
                single(seed, "fifo", 9, EVEN, "81.08", "45.53", "31.04", ""),
                single(seed, "fifo", 6, HUNGRY, "17.30", "10.58", "10.54", ""),
                single(seed, "fifo", 7, HUNGRY, "17.30", "25.61", "11.71", ""),
                single(seed, "fifo", 8, HUNGRY, "27.45", "98.44", "20.59", ""),
                single(seed, "fifo", 9, HUNGRY, "81.11", "158.84", "74.27", ""),
                single(seed, "srtf", 8, PAPER, "20.87", "15.29", "15.26", ""),
                single(seed, "srtf", 9, PAPER, "38.03", "22.56", "16.60", "16.15"),
                single(seed, "las", 8, PAPER, "40.67", "15.39", "15.32", ""),
                several(
                        new JobList(5, PAPER, JobList.SYNTHETIC, seed),
                        new Known(Rules.THEIRS, Allocations.PROPORTIONAL, "165.2"),
                        new Known(Rules.THEIRS, Allocations.GREEDY, "93.8"),
                        new Known(Rules.THEIRS, Allocations.TUNE, "90.2"),
                        new Known(Rules.THEIRS_WHOLE, Allocations.PROPORTIONAL, "165.2"),
                        new Known(Rules.THEIRS_WHOLE, Allocations.TUNE, "115.3"),
                        new Known(Rules.BOUND, Allocations.OPT, "37.8")),
                several(
                        new JobList(3, PAPER, JobList.PHILLY, seed),
                        new Known(Rules.THEIRS, Allocations.PROPORTIONAL, "23.43"),
                        new Known(Rules.THEIRS, Allocations.GREEDY, "18.38"),
                        new Known(Rules.THEIRS, Allocations.TUNE, "18.00"),
                        new Known(Rules.BOUND, Allocations.OPT, "15.96")));
    }

    /** Those of which is asked how sure they are; the first alone, unless it is to be thorough. */
    static List<Work> sampled(int seed, boolean thorough) {
        List<Work> works = sampled(seed);
        return thorough ? works : works.subList(0, 1);
    }

    private static List<Work> sampled(int seed) {
        return all(seed).stream()
                .filter(work -> work.list().split().equals(PAPER))
                .filter(work -> work.order().equals("fifo")
                        ? work.list().jobsPerHour() >= 8.75
                                || !work.list().gpus().equals(JobList.SINGLE)
                        : work.list().jobsPerHour() == 9)
                .toList();
    }

    /** Those at a load at which nodes are often full, but the cluster is not too small. */
    static List<Work> gangs(List<Work> works) {
        return works.stream()
                .filter(work -> work.list().gpus().equals(JobList.PHILLY))
                .toList();
    }

    /** Those on which it is shown what each addition is worth. */
    static List<Work> taken(int seed, boolean thorough) {
        return all(seed).stream()
                .filter(work -> work.order().equals("fifo")
                        && work.list().split().equals(PAPER)
                        && (work.list().jobsPerHour() == 9
                                || work.list().gpus().equals(JobList.SYNTHETIC)
                                || (thorough && work.list().gpus().equals(JobList.PHILLY))))
                .toList();
    }

    /** Empty for a figure that is not known. */
    private static Work single(
            int seed,
            String order,
            double load,
            List<Integer> split,
            String share,
            String greedy,
            String tune,
            String bound) {
        List<Known> known = new ArrayList<>();
        add(known, Allocations.PROPORTIONAL, share);
        add(known, Allocations.GREEDY, greedy);
        add(known, Allocations.TUNE, tune);
        if (!bound.isEmpty()) {
            known.add(new Known(Rules.BOUND, Allocations.OPT, bound));
        }
        return new Work(order, new JobList(load, split, JobList.SINGLE, seed), ONE_GPU, known);
    }

    private static void add(List<Known> known, String allocation, String hours) {
        if (!hours.isEmpty()) {
            known.add(new Known(Rules.THEIRS, allocation, hours));
        }
    }

    private static Work several(JobList list, Known... known) {
        return new Work("fifo", list, SEVERAL_GPUS, List.of(known));
    }
}
