// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.files.CsvRows;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Writes {@code groups-<policy>.csv}: one row for each group of jobs (docs/spec/simulator-output.md). */
final class GroupsFile {
    private static final double[] SHARES = {0.5, 0.95, 0.99};

    private GroupsFile() {}

    static void write(Writer out, List<Groups.Group> groups) throws IOException {
        List<String> head = new ArrayList<>(List.of("grouping", "group", "jobs", "ended", "gpuHours"));
        for (String what : new String[] {"JctSeconds", "QueueSeconds", "Slowdown"}) {
            addNames(head, what);
        }
        head.addAll(List.of("stops", "moves", "deadlines", "deadlineMisses", "lostGpuHours"));
        addNames(head, "FinishTimeFairness");
        CsvRows rows = new CsvRows(out, head);
        for (Groups.Group group : groups) {
            List<Object> row = new ArrayList<>();
            row.add(group.grouping());
            row.add(group.name());
            row.add(group.jobs());
            row.add(group.jctSeconds().quantiles().count());
            row.add(String.format(Locale.ROOT, "%.3f", group.gpuSeconds() / 3600));
            add(row, group.jctSeconds());
            add(row, group.waitSeconds());
            add(row, group.slowdown());
            row.add(group.stops());
            row.add(group.moves());
            row.add(group.deadlines());
            row.add(group.misses());
            row.add(String.format(Locale.ROOT, "%.3f", group.lostGpuSeconds() / 3600));
            add(row, group.fairness());
            rows.add(row);
        }
        rows.flush();
    }

    private static void addNames(List<String> head, String what) {
        head.add("avg" + what);
        for (double share : SHARES) {
            head.add("p" + Math.round(share * 100) + what);
        }
    }

    private static void add(List<Object> row, Groups.Statistic statistic) {
        row.add(text(statistic.mean()));
        for (double share : SHARES) {
            row.add(text(statistic.quantiles().at(share)));
        }
    }

    private static String text(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.3f", value.getAsDouble()) : "";
    }
}
