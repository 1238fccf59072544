// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What ours is to reach, beside what it does. */
final class GoalStudy implements Study {
    /** Of the published rule over proportional shares, at its best load. */
    private static final double RATIO = 4.27;
    /** Where one is never to be above another: differences that mean nothing. */
    private static final double TOLERANCE = 1.001;

    private static final List<Rules> COMPARED = List.of(Rules.THEIRS, Rules.OURS);

    private final Map<Work, Goal> goals = new LinkedHashMap<>();

    /**
     * @param words for people
     * @param atMost mean hours, by how it is simulated
     */
    private record Goal(String words, Limit atMost) {}

    private interface Limit {
        double hours(Figures figures, Rules rules);
    }

    GoalStudy(List<Work> works) {
        works.forEach(work -> goal(work).ifPresent(goal -> goals.put(work, goal)));
    }

    private static Optional<Goal> goal(Work work) {
        String mix = work.list().splitBy(",");
        return switch (work.words()) {
            case "fifo 9/h (20,70,10)" -> Optional.of(hours(18.5));
            case "fifo 8.75/h (20,70,10)" ->
                Optional.of(new Goal(
                        "proportional ÷ " + RATIO,
                        (figures, rules) -> mean(figures, work, rules, Allocations.PROPORTIONAL) / RATIO));
            case "srtf 8/h (20,70,10)" -> Optional.of(hours(15.26));
            case "las 8/h (20,70,10)" -> Optional.of(hours(15.32));
            case "srtf 9/h (20,70,10)" -> Optional.of(hours(16.3));
            case "fifo 5/h (20,70,10) of 1 to 8 GPUs" -> Optional.of(hours(79));
            case "fifo 3/h (20,70,10) of Philly's 1 to 16 GPUs" -> Optional.of(hours(17.9));
            default -> mix.equals("50,0,50") || mix.equals("33,33,33") ? Optional.of(below(work)) : Optional.empty();
        };
    }

    private static Goal hours(double most) {
        return new Goal(Texts.hours(most), (figures, rules) -> most);
    }

    private static Goal below(Work work) {
        return new Goal(
                "tune and proportional",
                (figures, rules) -> TOLERANCE
                        * Math.min(
                                mean(figures, work, rules, Allocations.TUNE),
                                mean(figures, work, rules, Allocations.PROPORTIONAL)));
    }

    private static double mean(Figures figures, Work work, Rules rules, String allocation) {
        return figures.meanHours(work.setting(rules), allocation);
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Work work : goals.keySet()) {
            COMPARED.forEach(rules -> wanted.put(work.setting(rules), Allocations.MAIN));
            wanted.put(work.setting(Rules.BOUND), List.of(Allocations.OPT));
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("work", "published rule", "bound", "ours at most", "in Synergy's rounds", "ours"));
        goals.forEach((work, goal) -> rows.add(List.of(
                work.words(),
                Texts.hours(mean(figures, work, Rules.THEIRS, Allocations.TUNE)),
                Texts.hours(mean(figures, work, Rules.BOUND, Allocations.OPT)),
                goal.words(),
                reached(figures, work, goal, Rules.THEIRS),
                reached(figures, work, goal, Rules.OURS))));
        return List.of(new Section(
                "goals",
                "What is to be reached: mean job completion time of " + Allocations.BALANCED + ", h",
                "Published rule: synergy-tune in Synergy's rounds, first fit. Missed are the figures that are above what is"
                        + " to be reached in the same simulator.",
                rows,
                List.of()));
    }

    private static String reached(Figures figures, Work work, Goal goal, Rules rules) {
        double ours = mean(figures, work, rules, Allocations.BALANCED);
        // To the digits that are told.
        boolean isReached =
                Math.round(100 * ours) <= Math.round(100 * goal.atMost().hours(figures, rules));
        return Texts.hours(ours) + (isReached ? "" : " (missed)");
    }

    @Override
    public List<Compared> compared(Figures figures) {
        List<Compared> compared = new ArrayList<>();
        goals.forEach((work, goal) -> compared.add(Compared.least(
                work.words() + ", ours: mean JCT of " + Allocations.BALANCED + " beside what is to be reached",
                mean(figures, work, Rules.OURS, Allocations.BALANCED),
                goal.atMost().hours(figures, Rules.OURS),
                "h")));
        return compared;
    }
}
