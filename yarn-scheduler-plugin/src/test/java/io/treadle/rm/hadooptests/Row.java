// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import com.google.common.base.Splitter;
import io.treadle.rm.hadooptests.Finding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the page says of one class. It is kept in a file, so that a run of some classes brings the page of all up to date.
 *
 * @param commit of the sources that were tested
 * @param redirected schedulers and policies that were ours
 */
record Row(String commit, Side stock, Side ours, int redirected, List<Finding> findings) {
    /** @param ran tests that were not skipped */
    record Side(long passed, long ran, long seconds) {
        static Side of(TestReport report) {
            return new Side(
                    report.count(Outcome.PASSED),
                    report.tests().size() - report.count(Outcome.SKIPPED),
                    report.took().toSeconds());
        }

        String counts() {
            return passed + " of " + ran;
        }
    }

    Row {
        findings = List.copyOf(findings);
    }

    static Row of(Comparison comparison, String commit) {
        return new Row(
                commit,
                Side.of(comparison.stock()),
                Side.of(comparison.ours()),
                comparison.ours().redirected(),
                comparison.findings());
    }

    boolean isWorse() {
        return findings.stream().anyMatch(f -> f.verdict() == Verdict.WORSE);
    }

    void save(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(commit, String.valueOf(redirected), line(stock), line(ours)));
        findings.forEach(f -> lines.add(f.test() + "\t" + f.verdict() + "\t" + f.text()));
        Files.write(file, lines);
    }

    private static String line(Side side) {
        return side.passed() + "\t" + side.ran() + "\t" + side.seconds();
    }

    static Row read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<Finding> findings = lines.stream()
                .skip(4)
                .map(line -> Splitter.on('\t').limit(3).splitToList(line))
                .map(cells -> new Finding(cells.get(0), Verdict.valueOf(cells.get(1)), cells.get(2)))
                .toList();
        return new Row(lines.get(0), side(lines.get(2)), side(lines.get(3)), Integer.parseInt(lines.get(1)), findings);
    }

    private static Side side(String line) {
        List<Long> numbers =
                Splitter.on('\t').splitToStream(line).map(Long::valueOf).toList();
        return new Side(numbers.get(0), numbers.get(1), numbers.get(2));
    }
}
