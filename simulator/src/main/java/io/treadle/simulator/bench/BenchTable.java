// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured as tables of texts. */
final class BenchTable {
    private static final List<String> HEAD = List.of(
            "what", "jobs", "simulating", "warm", "of the first CPU", "CPU in all", "heap", "published", "times less");
    private static final List<String> COST_HEAD =
            List.of("jobs", "nodes", "policy", "simulating", "warm", "of the first CPU", "CPU in all", "events per s");

    private BenchTable() {}

    /** For a terminal. */
    static String text(BenchResult result) {
        StringBuilder text = new StringBuilder();
        text.append(TextTable.of(rows(result))).append('\n');
        text.append(heap(result.weighed())).append("\n\n");
        text.append(TextTable.of(costs(result))).append('\n');
        result.missing().forEach(line -> text.append(line).append('\n'));
        text.append(explained(result));
        return text.toString();
    }

    static List<List<String>> rows(BenchResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        Stream.of(result.known(), result.large())
                .flatMap(List::stream)
                .forEach(row -> rows.add(List.of(
                        row.name(),
                        String.format(Locale.ROOT, "%,d", row.jobs()),
                        seconds(row.runSeconds()),
                        seconds(row.warmSeconds()),
                        seconds(row.runCpuSeconds()),
                        seconds(row.allCpuSeconds()),
                        row.heapMb() + " MB",
                        row.published()
                                .map(theirs -> theirs.simulator() + ": " + theirs.inWords())
                                .orElse("–"),
                        row.ratio()
                                .map(ratio -> String.format(Locale.ROOT, "%.0f", ratio))
                                .orElse("–"))));
        return rows;
    }

    static List<List<String>> costs(BenchResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(COST_HEAD);
        Stream.of(result.byJobs(), result.byNodes())
                .flatMap(List::stream)
                .forEach(row -> rows.add(List.of(
                        String.format(Locale.ROOT, "%,d", row.jobs()),
                        String.format(Locale.ROOT, "%,d", row.nodes()),
                        row.policy(),
                        seconds(row.runSeconds()),
                        seconds(row.warmSeconds()),
                        seconds(row.runCpuSeconds()),
                        seconds(row.allCpuSeconds()),
                        String.format(Locale.ROOT, "%,.0f", row.runs().get(0).events() / row.runSeconds()))));
        return rows;
    }

    /** What lives on the heap as jobs end. */
    static String heap(Probed weighed) {
        return String.format(
                        Locale.ROOT,
                        "%,d jobs: heap that lives before the first and after each quarter: ",
                        weighed.jobs())
                + weighed.liveHeapMb().stream()
                        .map(mb -> String.format(Locale.ROOT, "%.0f", mb))
                        .collect(Collectors.joining(", "))
                + " MB";
    }

    /** How to read the figures. */
    static String explained(BenchResult result) {
        return "Medians of " + result.known().get(0).runs().size() + " JVMs, each with one processor and the heap that"
                + " is stated, on " + result.machine().inWords() + ". Simulating: by the clock, after the list is read,"
                + " in a JVM that has just started; warm: the same after some runs more in the same JVM, when it has compiled what it needs. CPU in all: the whole process with JVM start, compiler, collector"
                + " and reading; up to the end of the first; it is what the published cost is divided by. Published costs were taken on other"
                + " machines. Drawn lists: seed " + result.seed() + ", like those of Helios at a load of 1; srtf with"
                + " preemption.\n";
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.2f s", value);
    }
}
