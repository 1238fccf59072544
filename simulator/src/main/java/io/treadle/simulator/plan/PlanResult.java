// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What was found.
 *
 * @param find what was looked for: nodes, policy or quota
 * @param isFound whether something meets the goals
 * @param what the jobs and the cluster, in a line
 * @param answer in a sentence or two
 * @param goals all that had to hold
 * @param isPriced whether prices were given
 * @param curves one for nodes and policy, one for each queue where a split was looked for
 */
record PlanResult(
        String find,
        boolean isFound,
        String what,
        String answer,
        List<Goal> goals,
        boolean isPriced,
        List<Curve> curves) {
    PlanResult {
        goals = List.copyOf(goals);
        curves = List.copyOf(curves);
    }

    /**
     * Points of one search.
     *
     * @param partition whose nodes are counted; empty for all of the cluster
     * @param queue whose capacity is looked for; empty where nodes are counted
     * @param goals what had to hold
     * @param points by rising size, or best first; for a queue those of which only its own capacity decides
     * @param chosen the one to take; empty where none will do
     * @param now what came of the capacities as they are, where those are looked for
     */
    record Curve(
            String partition,
            Optional<String> queue,
            List<Goal> goals,
            List<Point> points,
            Optional<Point> chosen,
            Optional<Point> now) {
        Curve {
            goals = List.copyOf(goals);
            points = List.copyOf(points);
        }

        static Curve ofNodes(String partition, List<Goal> goals, List<Point> points, Optional<Point> chosen) {
            return new Curve(partition, Optional.empty(), goals, points, chosen, Optional.empty());
        }

        /** The points, and what there is now in its place among them. */
        List<Point> all() {
            List<Point> all = new ArrayList<>(points);
            now.filter(point -> !points.contains(point)).ifPresent(point -> {
                all.add(point);
                all.sort(Comparator.comparingDouble(this::size));
            });
            return all;
        }

        /** What goals' figures are drawn over: percents of the queue's parent, or nodes. */
        double size(Point point) {
            return queue.map(name -> point.candidate().shares().of(name).percent())
                    .orElse((double) point.nodes());
        }

        /** What it is about; empty where it is all of the cluster. */
        String heading() {
            return queue.map(name -> "queue " + name).orElse(partition);
        }
    }
}
