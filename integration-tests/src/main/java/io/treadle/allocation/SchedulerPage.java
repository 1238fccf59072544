// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import io.treadle.allocation.Paired.Work;
import io.treadle.simulator.report.CurvePage;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** {@code bench.html}. */
final class SchedulerPage {
    private SchedulerPage() {}

    static String html(SchedulerResult result) {
        List<String> names = Arrays.stream(Work.values()).map(Work::explained).toList();
        List<Curves> plots = new ArrayList<>();
        for (int nodes : result.pairs().stream().map(Paired::nodes).distinct().toList()) {
            for (boolean asynchronous : new boolean[] {false, true}) {
                List<Paired> shown = result.pairs().stream()
                        .filter(pair -> pair.nodes() == nodes && pair.asynchronous() == asynchronous)
                        .toList();
                plots.add(new Curves(
                        "Ours over stock's containers a second, window by window: " + nodes + " nodes, "
                                + (asynchronous ? "asynchronous" : "by heartbeats"),
                        Curves.Scale.NUMBER,
                        shown.stream().map(SchedulerPage::curve).toList()));
            }
        }
        CurvePage page = new CurvePage("What the scheduler costs a ResourceManager", names)
                .opening(
                        result.missed().isEmpty()
                                ? "All goals are met."
                                : "Missed: " + String.join("; ", result.missed()) + ".")
                .text(result.explained())
                .table("allocations", "Allocations", result.allocationRows(), -1)
                .plots("windows", "Each window of ours beside stock's", plots);
        return page.table("heartbeats", "Heartbeats of nodes", result.heartbeatRows(), -1)
                .table("holds", "Holds of the scheduler's write lock by a gang", result.holdRows(), -1)
                .table("once", "Done at once, under the write lock", result.onceRows(), -1)
                .table("pages", "Pages of ours, read by HTTP", result.pageRows(), -1)
                .table("rounds", "Rounds of the planner", result.roundRows(), -1)
                .table("heap", "Heap after a collection", result.heapRows(), -1)
                .html();
    }

    private static Curves.Curve curve(Paired pair) {
        List<Double> windows = IntStream.rangeClosed(1, pair.ours().size())
                .mapToObj(i -> (double) i)
                .toList();
        return new Curves.Curve(pair.work().ordinal(), windows, pair.ratios(Answer::perSecond));
    }
}
