// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.input.Row;
import io.treadle.simulator.result.SeedMean;
import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What was found, in words and tables. */
final class CompassText {
    static final String FEWER = "Fewer workers, and staler knowledge, at 2 queries a second";
    static final String DECISIONS =
            "How long a decision takes: the plan of a query, and a look at each task that follows";

    private CompassText() {}

    /** For a terminal. */
    static String of(CompassResult result) {
        StringBuilder text = new StringBuilder();
        for (List<Cell> load : result.loads()) {
            table(text, heading(load), load(load));
        }
        table(text, ablationHeading(result), ablations(result));
        table(text, FEWER, fewer(result));
        table(text, many(result), List.of());
        table(text, DECISIONS, decisions(result));
        return text.append(explained(result)).append('\n').toString();
    }

    private static void table(StringBuilder text, String heading, List<List<String>> rows) {
        text.append(heading)
                .append('\n')
                .append(rows.isEmpty() ? "" : TextTable.of(rows))
                .append('\n');
    }

    static String heading(List<Cell> load) {
        QueryWork work = load.get(0).work();
        return String.format(
                Locale.ROOT,
                "Queries that come at %s a second, on %d workers",
                Row.plain(work.perSecond()),
                work.workers());
    }

    static List<List<String>> load(List<Cell> load) {
        return rows(load, load.get(0));
    }

    static String ablationHeading(CompassResult result) {
        return "What each part is worth, at "
                + Row.plain(result.ablations().get(0).work().perSecond()) + " queries a second";
    }

    static List<List<String>> ablations(CompassResult result) {
        return rows(result.ablations(), result.ablations().get(0));
    }

    /** Each beside the first. */
    private static List<List<String>> rows(List<Cell> cells, Cell first) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("policy", "mean", "times compass", "p95", "times compass", "slowdown", "cache hits"));
        for (Cell cell : cells) {
            rows.add(List.of(
                    cell.variant().name(),
                    ms(cell.mean(QueryFigures::meanMs)),
                    ratio(cell, first, QueryFigures::meanMs),
                    ms(cell.mean(QueryFigures::p95Ms)),
                    ratio(cell, first, QueryFigures::p95Ms),
                    String.format(Locale.ROOT, "%.2f", cell.mean(QueryFigures::meanSlowdown)),
                    String.format(Locale.ROOT, "%.1f %%", 100 * cell.mean(QueryFigures::hits))));
        }
        return rows;
    }

    static List<List<String>> fewer(CompassResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("what", "mean", "in that of", "ratio"));
        rows.add(List.of(
                result.few().work().workers() + " workers of compass",
                ms(result.few().mean(QueryFigures::meanMs)),
                "hash on " + result.twice().work().workers() + ": "
                        + ms(result.twice().mean(QueryFigures::meanMs)),
                ratio(result.few(), result.twice(), QueryFigures::meanMs)));
        Cell usual = result.stale().get(0);
        for (Cell cell : result.stale().subList(1, result.stale().size())) {
            rows.add(List.of(
                    String.format(
                            Locale.ROOT,
                            "workers tell each other every %s ms",
                            Row.plain(cell.variant().settings(1).stalenessMs())),
                    ms(cell.mean(QueryFigures::meanMs)),
                    "every 10 ms: " + ms(usual.mean(QueryFigures::meanMs)),
                    ratio(cell, usual, QueryFigures::meanMs)));
        }
        return rows;
    }

    static String many(CompassResult result) {
        Cell ours = result.many().ours();
        Cell theirs = result.many().theirs();
        return String.format(
                Locale.ROOT,
                "%s queries a second: %d workers of compass answer 95 %% within %s, %d of hash within %s",
                Row.plain(ours.work().perSecond()),
                ours.work().workers(),
                ms(ours.mean(QueryFigures::p95Ms)),
                theirs.work().workers(),
                ms(theirs.mean(QueryFigures::p95Ms)));
    }

    static List<List<String>> decisions(CompassResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("workers", "median", "p99"));
        for (DecisionCost cost : result.decisions()) {
            rows.add(List.of(
                    String.format(Locale.ROOT, "%,d", cost.workers()),
                    String.format(Locale.ROOT, "%.3f ms", cost.medianMs()),
                    String.format(Locale.ROOT, "%.3f ms", cost.p99Ms())));
        }
        return rows;
    }

    static String explained(CompassResult result) {
        return String.format(
                Locale.ROOT,
                "%,d queries of the four workflows that Compass was published with, Poisson arrivals, after %d that warm the"
                        + " workers up; %d seeds from %d on; workers with 14 GB of GPU memory that tell each other every"
                        + " 10 ms how they are. Means over seeds; times compass: geometric means, with 95 %% intervals."
                        + " Ours differs from compass as published by two rules: a worker runs next what belongs to the"
                        + " query with the least left to do, its waiting counted for it, and a planned task moves where"
                        + " it would begin earlier elsewhere by more than 1.5 times its length. Simulated, with delays"
                        + " as published; on %s.",
                result.requests(),
                QueryWork.WARMUP,
                result.seeds(),
                result.seed(),
                result.machine().inWords());
    }

    private static String ratio(Cell cell, Cell other, ToDoubleFunction<QueryFigures> figure) {
        if (cell.equals(other)) {
            return "1";
        }
        SeedMean log = cell.logRatio(other, figure);
        return String.format(
                Locale.ROOT,
                "%.2f (%.2f to %.2f)",
                Math.exp(log.mean()),
                Math.exp(log.mean() - log.halfWidth()),
                Math.exp(log.mean() + log.halfWidth()));
    }

    private static String ms(double value) {
        return String.format(Locale.ROOT, "%,.0f ms", value);
    }
}
