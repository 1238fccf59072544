// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

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
     * @param goals what had to hold
     * @param points by rising size, or best first
     * @param chosen the one to take; empty where none will do
     */
    record Curve(String partition, List<Goal> goals, List<Point> points, Optional<Point> chosen) {
        Curve {
            goals = List.copyOf(goals);
            points = List.copyOf(points);
        }
    }
}
