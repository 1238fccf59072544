// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Policies beside each other, for a terminal and for the page. */
public final class QueryTable {
    private QueryTable() {}

    public static String of(List<QuerySummary> summaries) {
        return TextTable.of(rows(summaries));
    }

    /** The first is the head. */
    static List<List<String>> rows(List<QuerySummary> summaries) {
        boolean hasEnergy = summaries.stream().anyMatch(summary -> summary.energyKwh() != null);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(
                "policy", "requests", "mean", "p50", "p95", "p99", "slowdown", "cache hits", "busy", "workers used"));
        if (hasEnergy) {
            head.add("energy");
        }
        rows.add(head);
        for (QuerySummary summary : summaries) {
            List<String> row = new ArrayList<>(List.of(
                    summary.policy(),
                    String.format(Locale.ROOT, "%,d", summary.requests()),
                    ms(summary.meanLatencyMs()),
                    ms(summary.p50LatencyMs()),
                    ms(summary.p95LatencyMs()),
                    ms(summary.p99LatencyMs()),
                    String.format(Locale.ROOT, "%.2f", summary.meanSlowdown()),
                    percent(summary.cacheHitRate()),
                    percent(summary.meanBusy()),
                    String.valueOf(summary.workersUsed())));
            if (hasEnergy) {
                row.add(String.format(Locale.ROOT, "%.3f kWh", summary.energyKwh()));
            }
            rows.add(row);
        }
        return rows;
    }

    static String ms(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f ms" : "%,.0f ms", value);
    }

    static String percent(@Nullable Double share) {
        return share == null ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
