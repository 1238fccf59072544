// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/** The table at the end of a run, for a terminal. */
public final class SummaryTable {
    private record Column(String name, Function<Summary, String> text, Predicate<Summary> isShown) {
        static Column always(String name, Function<Summary, String> text) {
            return new Column(name, text, summary -> true);
        }
    }

    private static final List<Column> COLUMNS = List.of(
            Column.always("policy", Summary::policy),
            Column.always("jobs", s -> count(s.jobs())),
            Column.always("mean JCT", s -> time(s.avgJctSeconds())),
            Column.always("p50", s -> time(s.p50JctSeconds())),
            Column.always("p95", s -> time(s.p95JctSeconds())),
            Column.always("p99", s -> time(s.p99JctSeconds())),
            Column.always("mean wait", s -> time(s.avgQueueSeconds())),
            Column.always("makespan", s -> time(s.makespanSeconds())),
            Column.always("GPU use", s -> percent(s.gpuUtilization())),
            new Column("too late", s -> percent(s.deadlineMisses()), s -> s.deadlineMisses() != null),
            new Column("worth", s -> worth(s.totalUtility()), s -> s.totalUtility() != null),
            new Column("energy", s -> energy(s.energyKwh()), s -> s.energyKwh() != null),
            Column.always("stops", s -> count(s.preemptions())),
            new Column("moves", s -> count(s.migrations()), s -> s.migrations() > 0),
            new Column(
                    "lost GPU-h",
                    s -> String.format(Locale.ROOT, "%,.1f", s.lostGpuSeconds() / 3600),
                    s -> s.lostGpuSeconds() > 0),
            Column.always("took", s -> String.format(Locale.ROOT, "%.1f s", s.wallSeconds())));

    private SummaryTable() {}

    /** Columns in which no policy has anything to tell are left out. */
    public static String of(List<Summary> summaries) {
        List<Column> columns = COLUMNS.stream()
                .filter(column -> summaries.stream().anyMatch(column.isShown()))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(Column::name).toList());
        summaries.forEach(summary -> rows.add(
                columns.stream().map(column -> column.text().apply(summary)).toList()));
        return TextTable.of(rows);
    }

    private static String energy(@org.jspecify.annotations.Nullable Double kwh) {
        return kwh == null ? "–" : String.format(Locale.ROOT, kwh < 100 ? "%.2f kWh" : "%,.0f kWh", kwh);
    }

    private static String worth(@org.jspecify.annotations.Nullable Double utility) {
        return utility == null ? "–" : String.format(Locale.ROOT, "%,.1f", utility);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String percent(@org.jspecify.annotations.Nullable Double share) {
        return share == null ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** In the unit that people would use. */
    public static String time(@org.jspecify.annotations.Nullable Double seconds) {
        if (seconds == null) {
            return "–";
        }
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        if (seconds < 7200) {
            return String.format(Locale.ROOT, "%.1f min", seconds / 60);
        }
        return seconds < 172_800
                ? String.format(Locale.ROOT, "%.2f h", seconds / 3600)
                : String.format(Locale.ROOT, "%.1f d", seconds / 86_400);
    }
}
