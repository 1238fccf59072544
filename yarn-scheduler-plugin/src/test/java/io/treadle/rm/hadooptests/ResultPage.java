// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import io.treadle.rm.hadooptests.Finding.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was found, as text for the terminal and as Markdown for the documentation. */
final class ResultPage {
    static final String HEADER = String.format(
            Locale.ROOT,
            "%-56s %10s %10s %10s %7s %7s",
            "tests that passed",
            "stock",
            "ours",
            "redirected",
            "stock s",
            "ours s");
    private static final int MOST_TEXT = 400;

    private ResultPage() {}

    static List<String> lines(String name, Row row) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-56s %10s %10s %10d %7d %7d",
                name,
                row.stock().counts(),
                row.ours().counts(),
                row.redirected(),
                row.stock().seconds(),
                row.ours().seconds()));
        row.findings().forEach(f -> lines.add("  " + f.verdict().words() + ": " + f.test() + ": " + f.text()));
        return lines;
    }

    /** @param facts when and where the run was */
    static List<String> markdown(String facts, Map<OwnTest, Row> rows) {
        List<String> lines = new ArrayList<>();
        lines.add(facts + ". Commit "
                + String.join(
                        ", ", rows.values().stream().map(Row::commit).distinct().toList()) + ".");
        lines.add("");
        lines.add("| group | classes | tests | passed on stock | passed on ours | minutes, both |");
        lines.add("|---|---|---|---|---|---|");
        Map<String, List<Row>> groups = new LinkedHashMap<>();
        rows.forEach((test, row) ->
                groups.computeIfAbsent(test.group(), g -> new ArrayList<>()).add(row));
        groups.forEach((group, members) -> lines.add(sum(group, members)));
        lines.add(sum("all", List.copyOf(rows.values())));
        for (Verdict verdict : Verdict.values()) {
            List<Finding> findings = rows.values().stream()
                    .flatMap(row -> row.findings().stream())
                    .filter(f -> f.verdict() == verdict)
                    .toList();
            if (!findings.isEmpty()) {
                lines.add("");
                lines.add("## " + capital(verdict.words()));
                findings.forEach(f -> lines.add("- `" + f.test() + "`: " + escaped(f.text())));
            }
        }
        lines.add("");
        lines.add("## Each class");
        lines.add("| class | group | passed on stock | passed on ours | redirected schedulers | s, stock | s, ours |");
        lines.add("|---|---|---|---|---|---|---|");
        rows.forEach((test, row) -> lines.add(
                "| " + test.path() + " | " + test.group() + " | " + row.stock().counts() + " | "
                        + row.ours().counts() + " | " + redirected(test, row) + " | "
                        + row.stock().seconds() + " | " + row.ours().seconds() + " |"));
        return lines;
    }

    private static String redirected(OwnTest test, Row row) {
        return test.meetsScheduler() || row.redirected() > 0 ? String.valueOf(row.redirected()) : "makes none";
    }

    private static String sum(String group, List<Row> rows) {
        long ran = rows.stream().mapToLong(r -> r.stock().ran()).sum();
        long stock = rows.stream().mapToLong(r -> r.stock().passed()).sum();
        long ours = rows.stream().mapToLong(r -> r.ours().passed()).sum();
        long seconds = rows.stream()
                .mapToLong(r -> r.stock().seconds() + r.ours().seconds())
                .sum();
        return "| " + group + " | " + rows.size() + " | " + ran + " | " + stock + " | " + ours + " | "
                + Math.round(seconds / 60.0) + " |";
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /** What a test says may hold anything. */
    private static String escaped(String text) {
        String cut = text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) + " …" : text;
        return cut.replace("<", "&lt;").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_");
    }
}
