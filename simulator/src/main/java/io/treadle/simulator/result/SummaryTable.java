// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table at the end of a run, for a terminal. */
public final class SummaryTable {
    private static final List<String> HEAD = List.of(
            "policy", "jobs", "mean JCT", "p50", "p95", "p99", "mean wait", "makespan", "GPU use", "stops", "took");

    private SummaryTable() {}

    public static String of(List<Summary> summaries) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (Summary s : summaries) {
            rows.add(List.of(
                    s.policy(),
                    String.format(Locale.ROOT, "%,d", s.jobs()),
                    time(s.avgJctSeconds()),
                    time(s.p50JctSeconds()),
                    time(s.p95JctSeconds()),
                    time(s.p99JctSeconds()),
                    time(s.avgQueueSeconds()),
                    time(s.makespanSeconds()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * s.gpuUtilization()),
                    String.format(Locale.ROOT, "%,d", s.preemptions()),
                    String.format(Locale.ROOT, "%.1f s", s.wallSeconds())));
        }
        return TextTable.of(rows);
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
