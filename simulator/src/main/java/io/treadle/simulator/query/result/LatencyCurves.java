// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Distributions of latencies, of all requests and workflow by workflow. */
final class LatencyCurves {
    private static final int MOST_WORKFLOWS = 12;
    private static final int POINTS = 60;

    private final List<QueryRun> runs;
    private final int warmup;

    private LatencyCurves(List<QueryRun> runs, int warmup) {
        this.runs = runs;
        this.warmup = warmup;
    }

    /** @param warmup so many of the first requests are left out */
    static List<Curves> of(List<QueryRun> runs, int warmup) {
        return new LatencyCurves(runs, warmup).curves();
    }

    private List<Curves> curves() {
        List<Curves> plots = new ArrayList<>();
        plots.add(distribution("All workflows: part of the requests over ms", graph -> true));
        List<WorkflowGraph> graphs = runs.get(0).finished().stream()
                .map(each -> each.request().graph())
                .distinct()
                .toList();
        if (graphs.size() > 1) {
            graphs.stream()
                    .limit(MOST_WORKFLOWS)
                    .map(graph -> distribution(graph.name() + ", over ms", graph::equals))
                    .forEach(plots::add);
        }
        return plots.stream().filter(plot -> !plot.curves().isEmpty()).toList();
    }

    private Curves distribution(String title, Predicate<WorkflowGraph> of) {
        List<double[]> sorted = runs.stream()
                .map(run -> Latencies.sorted(
                        run.finished().subList(warmup, run.finished().size()).stream()
                                .filter(each -> of.test(each.request().graph()))
                                .toList()))
                .toList();
        if (sorted.stream().anyMatch(each -> each.length == 0)) {
            return new Curves(title, Curves.Scale.SHARE, List.of());
        }
        double least = sorted.stream().mapToDouble(each -> each[0]).min().orElseThrow();
        double most =
                sorted.stream().mapToDouble(each -> each[each.length - 1]).max().orElseThrow();
        List<Double> ms = RoundNumbers.between(least, most, POINTS);
        return new Curves(
                title,
                Curves.Scale.SHARE,
                IntStream.range(0, sorted.size())
                        .mapToObj(i -> new Curves.Curve(
                                i,
                                ms,
                                ms.stream()
                                        .map(each -> Latencies.shareWithin(sorted.get(i), each))
                                        .toList()))
                        .toList());
    }
}
