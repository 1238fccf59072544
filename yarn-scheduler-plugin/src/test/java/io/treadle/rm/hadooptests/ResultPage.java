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
            "%-56s %9s %9s %10s %7s %7s",
            "tests that passed",
            "stock",
            "ours",
            "redirected",
            "stock s",
            "ours s");

    private ResultPage() {}

    static List<String> lines(Comparison c) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-56s %9s %9s %10d %7d %7d",
                c.test().name(),
                counts(c.stock()),
                counts(c.ours()),
                c.ours().redirected(),
                c.stock().took().toSeconds(),
                c.ours().took().toSeconds()));
        c.findings().forEach(f -> lines.add("  " + f.verdict().words() + ": " + f.test() + ": " + f.text()));
        return lines;
    }

    private static String counts(TestReport report) {
        long ran = report.tests().size() - report.count(Outcome.SKIPPED);
        return report.count(Outcome.PASSED) + " of " + ran;
    }

    static List<String> markdown(List<Comparison> comparisons) {
        List<String> lines = new ArrayList<>();
        Map<String, List<Comparison>> groups = new LinkedHashMap<>();
        comparisons.forEach(c ->
                groups.computeIfAbsent(c.test().group(), g -> new ArrayList<>()).add(c));
        lines.add("| group | classes | tests | passed on stock | passed on ours | minutes, both |");
        lines.add("|---|---|---|---|---|---|");
        groups.forEach((group, members) -> lines.add(sum(group, members)));
        lines.add(sum("all", comparisons));
        for (Verdict verdict : Verdict.values()) {
            List<Finding> findings = comparisons.stream()
                    .flatMap(c -> c.findings().stream())
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
        lines.add(
                "| class | group | passed on stock | passed on ours | schedulers that were ours | s, stock | s, ours |");
        lines.add("|---|---|---|---|---|---|---|");
        comparisons.forEach(
                c -> lines.add("| " + c.test().path() + " | " + c.test().group() + " | "
                        + counts(c.stock()) + " | " + counts(c.ours()) + " | " + redirected(c) + " | "
                        + c.stock().took().toSeconds() + " | " + c.ours().took().toSeconds() + " |"));
        return lines;
    }

    private static String redirected(Comparison c) {
        return c.test().meetsScheduler() || c.ours().redirected() > 0
                ? String.valueOf(c.ours().redirected())
                : "makes none";
    }

    private static String sum(String group, List<Comparison> members) {
        long tests = members.stream()
                .mapToLong(c -> c.stock().tests().size() - c.stock().count(Outcome.SKIPPED))
                .sum();
        long stock =
                members.stream().mapToLong(c -> c.stock().count(Outcome.PASSED)).sum();
        long ours =
                members.stream().mapToLong(c -> c.ours().count(Outcome.PASSED)).sum();
        long seconds = members.stream()
                .mapToLong(c -> c.stock().took().plus(c.ours().took()).toSeconds())
                .sum();
        return "| " + group + " | " + members.size() + " | " + tests + " | " + stock + " | " + ours + " | "
                + Math.round(seconds / 60.0) + " |";
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /** What a test says may hold anything. */
    private static String escaped(String text) {
        String cut = text.length() > 400 ? text.substring(0, 400) + " …" : text;
        return cut.replace("<", "&lt;").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_");
    }
}
