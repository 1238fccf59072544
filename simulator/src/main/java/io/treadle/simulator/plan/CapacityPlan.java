// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.cluster.CapacitySplit;
import io.treadle.simulator.cluster.SharedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds what queues that share nodes should be sure of. They lend to each other and take back, so each split is a whole
 * simulation of all of them.
 */
final class CapacityPlan {
    private final PlanRequest request;
    private final List<Goal> goals;
    private final GoalQueues queues;
    private final CapacitySplit split;
    private final Splits splits;
    private final Shares now;
    private final Map<Split, Point> points = new HashMap<>();

    /** @throws io.treadle.simulator.input.InputException if goals and queues are such that there is nothing to split */
    CapacityPlan(PlanRequest request, List<Goal> goals) {
        this.request = request;
        this.goals = goals;
        queues = GoalQueues.of(request, goals);
        split = queues.split();
        splits = queues.splits();
        now = new Shares(queues.siblings().stream()
                .map(queue -> share(queue, split.now(queue)))
                .toList());
    }

    private Shares.Share share(SharedQueue queue, double percent) {
        // A third, thrice, is not quite one.
        double rounded = Math.rint(percent * 1e6) / 1e6;
        return new Shares.Share(
                queue.name(), rounded, split.gpus(rounded), !queues.goals(queue).isEmpty());
    }

    PlanReport find(Planner planner) {
        CapacitySizing sizing = new CapacitySizing(request.replay().workload(), split, now);
        Point present = planner.probe(sizing, List.of(candidate(now))).get(0);
        CapacitySearch search = new CapacitySearch(splits, some -> look(planner, sizing, some), planner::say);
        Optional<Split> found = search.find(splits.split(now));
        Optional<Point> chosen = found.map(points::get);
        List<PlanResult.Curve> curves = new ArrayList<>();
        for (int i = 0; i < splits.wanted(); i++) {
            SharedQueue queue = queues.wanted().get(i);
            curves.add(new PlanResult.Curve(
                    "",
                    Optional.of(queue.name()),
                    queues.goals(queue),
                    search.line(i).values().stream().map(this::point).toList(),
                    chosen,
                    Optional.of(present)));
        }
        String answer = chosen.map(point -> found(point, present)).orElseGet(() -> none(search, present));
        return planner.report("quota", chosen.isPresent(), answer, curves);
    }

    private Candidate candidate(Shares shares) {
        int nodes = request.replay().workload().cluster().nodes();
        return new Candidate(nodes, request.policies().get(0), shares);
    }

    private Shares shares(Split some) {
        return new Shares(IntStream.range(0, some.percents().size())
                .mapToObj(i -> share(queues.siblings().get(i), some.percents().get(i)))
                .toList());
    }

    private Map<Split, Set<Integer>> look(Planner planner, CapacitySizing sizing, List<Split> some) {
        List<Point> probed = planner.probe(
                sizing, some.stream().map(each -> candidate(shares(each))).toList());
        Map<Split, Set<Integer>> holds = new HashMap<>();
        for (int i = 0; i < some.size(); i++) {
            Point point = probed.get(i);
            points.put(some.get(i), point);
            holds.put(
                    some.get(i),
                    IntStream.range(0, splits.wanted())
                            .filter(queue ->
                                    point.meets(queues.goals(queues.wanted().get(queue))))
                            .boxed()
                            .collect(Collectors.toSet()));
        }
        return holds;
    }

    private Point point(Split some) {
        return Objects.requireNonNull(points.get(some));
    }

    private String found(Point point, Point present) {
        Shares shares = point.candidate().shares();
        if (shares.equals(now)) {
            return "The goals hold with the capacities as they are" + of() + ", " + shares.text() + ": "
                    + Planner.figures(point, goals) + ".";
        }
        String changes = shares.queues().stream().map(this::change).collect(Collectors.joining(", "));
        return "The goals hold with" + (of().isEmpty() ? "" : "," + of() + ",") + " " + changes + ": "
                + Planner.figures(point, goals) + ". " + asItIs(present);
    }

    private String change(Shares.Share share) {
        Shares.Share before = now.of(share.name());
        return before.equals(share)
                ? share.name() + " " + Shares.shown(share.percent()) + " as now"
                : before.text() + " → " + Shares.shown(share.percent());
    }

    private String none(CapacitySearch search, Point present) {
        String tried = search.step().isPresent()
                ? " (all in steps of " + Shares.shown(search.step().getAsInt()) + " among them)"
                : "";
        Point nearest = point(search.nearest().orElseThrow());
        List<Goal> missed = queues.goals(queues.wanted().get(search.lacking().orElseThrow()));
        return "None of the " + search.looks() + " splits" + of() + " that were tried" + tried
                + " meets all goals: even with " + nearest.candidate().shares().shortText() + " it is "
                + Planner.figures(nearest, missed) + ". " + asItIs(present);
    }

    private String asItIs(Point present) {
        return (present.meets(goals) ? "They hold with the capacities as they are too" : "As it is, " + now.shortText())
                + ": " + Planner.figures(present, goals) + ".";
    }

    /** Whose capacity is split, where it is not all of the partition. */
    private String of() {
        SharedQueue parent = split.parent();
        return parent.path().contains(".") ? " of " + parent.path() + "'s capacity" : "";
    }
}
