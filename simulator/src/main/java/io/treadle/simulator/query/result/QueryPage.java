// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.report.CurvePage;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The page of simulated queries: latencies, workers and caches over time. */
public final class QueryPage {
    private final List<QueryRun> runs;
    private final List<QuerySummary> summaries;
    private final int warmup;

    /**
     * @param runs one for each policy
     * @param summaries theirs
     * @param warmup so many of the first requests are left out of latencies
     */
    public QueryPage(List<QueryRun> runs, List<QuerySummary> summaries, int warmup) {
        this.runs = List.copyOf(runs);
        this.summaries = List.copyOf(summaries);
        this.warmup = warmup;
    }

    /** @param settings in words */
    public String html(String settings) {
        CurvePage page = new CurvePage(
                        "Simulated queries", runs.stream().map(QueryRun::policy).toList())
                .opening(opening())
                .text(settings)
                .table("policies", "Policies", QueryTable.rows(summaries), best())
                .text(
                        "Latency: from arrival to the end of the last task. Slowdown: in what the query takes at best, with"
                                + " all models where they are needed. Cache hits: models that were there, or on their way, when"
                                + " the task that needs them began. Busy: part of the time in which workers ran tasks.")
                .plots("latencies", "How many are answered within how long", LatencyCurves.of(runs, warmup))
                .plots("course", "Over time, in seconds", CourseCurves.of(runs));
        for (QueryRun run : runs) {
            page.strips(
                    "workers-" + run.policy(),
                    "Workers over time under " + run.policy() + ": the darker, the busier",
                    WorkerRows.strips(run));
        }
        for (QueryRun run : runs) {
            page.table("caches-" + run.policy(), "Workers under " + run.policy(), WorkerRows.table(run), -1);
        }
        return page.html();
    }

    private String opening() {
        QuerySummary best = summaries.get(best());
        return String.format(
                Locale.ROOT,
                "%s answers a query within %s on average%s.",
                best.policy(),
                QueryTable.ms(best.meanLatencyMs()),
                summaries.size() == 1 ? "" : ", the soonest of " + summaries.size() + " policies");
    }

    private int best() {
        return IntStream.range(0, summaries.size())
                .boxed()
                .min(Comparator.comparingDouble(i -> summaries.get(i).meanLatencyMs()))
                .orElseThrow();
    }
}
