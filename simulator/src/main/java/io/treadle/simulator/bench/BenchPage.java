// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import io.treadle.simulator.report.CurvePage;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** {@code bench.html}. */
final class BenchPage {
    private BenchPage() {}

    static String html(BenchResult result) {
        List<String> policies =
                result.byJobs().stream().map(BenchRow::policy).distinct().toList();
        Curves byJobs = curves(
                "Seconds of simulating over the number of jobs, on "
                        + result.byJobs().get(0).nodes() + " nodes",
                policies,
                result.byJobs(),
                BenchRow::jobs);
        Curves byNodes = curves(
                "Seconds of simulating over the number of nodes, with "
                        + result.byNodes().get(0).jobs() + " jobs",
                policies,
                result.byNodes(),
                BenchRow::nodes);
        return new CurvePage("What the Treadle simulator costs", policies)
                .text(BenchTable.explained(result))
                .table("known", "The same work as published simulators, and large lists", BenchTable.rows(result), -1)
                .text(BenchTable.heap(result.weighed()))
                .plots("cost", "Cost over jobs and nodes", List.of(byJobs, byNodes))
                .table("costs", "All figures of the curves", BenchTable.costs(result), -1)
                .html();
    }

    private static Curves curves(
            String title, List<String> policies, List<BenchRow> rows, ToDoubleFunction<BenchRow> across) {
        List<Curves.Curve> curves = new ArrayList<>();
        for (String policy : policies) {
            List<BenchRow> own =
                    rows.stream().filter(row -> row.policy().equals(policy)).toList();
            curves.add(new Curves.Curve(
                    curves.size(),
                    own.stream().map(across::applyAsDouble).toList(),
                    own.stream().map(BenchRow::runSeconds).toList()));
        }
        return new Curves(title, Curves.Scale.POWERS, curves);
    }
}
