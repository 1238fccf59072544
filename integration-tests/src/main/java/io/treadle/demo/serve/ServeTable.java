// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The comparison as rows of cells, which the terminal and the page show alike. */
final class ServeTable {
    private static final List<Double> PERCENTS = List.of(50.0, 95.0, 99.0);
    private static final double TAIL = 95;

    private ServeTable() {}

    /** The heading first. */
    static List<List<String>> policies(ServeResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "policy",
                "queries",
                "failed",
                "mean",
                "p50",
                "p95",
                "p99",
                "accuracy",
                "hits",
                "times " + result.reference().policy()));
        for (PolicyRun run : result.runs()) {
            List<String> row = new ArrayList<>(List.of(
                    run.policy(),
                    String.format(Locale.ROOT, "%,d", run.answers().size()),
                    String.valueOf(run.failed())));
            row.add(ms(run.meanMs()));
            PERCENTS.forEach(percent -> row.add(ms(run.percentileMs(percent))));
            row.add(number("%.1f %%", 100 * run.accuracy()));
            row.add(number("%.0f %%", 100 * run.hitRate()));
            row.add(number("%.2f", result.ratio(run)));
            rows.add(row);
        }
        return rows;
    }

    /** The 95th percentile of each workflow, with the heading first. */
    static List<List<String>> workflows(ServeResult result) {
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(List.of("p95 of"));
        result.runs().forEach(run -> heading.add(run.policy()));
        rows.add(heading);
        for (String workflow : result.workflows()) {
            List<String> row = new ArrayList<>(List.of(workflow));
            result.runs().forEach(run -> row.add(ms(run.latencies(workflow).at(TAIL))));
            rows.add(row);
        }
        return rows;
    }

    static String ms(double value) {
        return number("%,.0f ms", value);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, format, value);
    }
}
