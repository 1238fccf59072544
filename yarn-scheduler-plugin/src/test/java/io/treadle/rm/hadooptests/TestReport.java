// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What JVMs reported of one test class.
 *
 * @param tests outcome of each test by its id
 * @param said what a test said that did not pass
 * @param left tests that were to run and did not start, because the JVM ended before
 * @param redirected schedulers and preemption policies that became ours
 */
record TestReport(
        Map<String, Outcome> tests, Map<String, String> said, List<String> left, int redirected, Duration took) {
    TestReport {
        tests = Collections.unmodifiableMap(new LinkedHashMap<>(tests));
        said = Map.copyOf(said);
        left = List.copyOf(left);
    }

    /**
     * @param broken what became of the tests that were running if the report has no end: HUNG or DIED
     * @param why the same for people
     */
    static TestReport read(Path file, Duration took, Outcome broken, String why) throws IOException {
        Map<String, Outcome> tests = new LinkedHashMap<>();
        Map<String, String> said = new LinkedHashMap<>();
        Set<String> planned = new LinkedHashSet<>();
        Set<String> running = new LinkedHashSet<>();
        int redirected = 0;
        boolean isWhole = false;
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] cells = line.split("\t", 3);
            switch (cells[0]) {
                case ReportWriter.PLANNED -> planned.add(cells[1]);
                case ReportWriter.STARTED -> running.add(cells[1]);
                case ReportWriter.DONE -> running.remove(cells[1]);
                case ReportWriter.END -> {
                    isWhole = true;
                    redirected = Integer.parseInt(cells[1]);
                }
                default -> {
                    running.remove(cells[1]);
                    tests.put(cells[1], Outcome.valueOf(cells[0]));
                    said.put(cells[1], cells[2]);
                }
            }
            if (!cells[0].equals(ReportWriter.PLANNED) && cells.length > 1) {
                planned.remove(cells[1]);
            }
        }
        if (!isWhole) {
            // Nothing ran: the JVM did not come up, or what all tests need did not.
            for (String id : running.isEmpty() ? Set.of("[class:start of its JVM]") : running) {
                tests.put(id, broken);
                said.put(id, why);
            }
        }
        return new TestReport(tests, said, isWhole ? List.of() : List.copyOf(planned), redirected, took);
    }

    /** This report and that of a further JVM, which ran what was left. */
    TestReport and(TestReport rest) {
        Map<String, Outcome> allTests = new LinkedHashMap<>(tests);
        allTests.putAll(rest.tests);
        Map<String, String> allSaid = new LinkedHashMap<>(said);
        allSaid.putAll(rest.said);
        return new TestReport(allTests, allSaid, rest.left, redirected + rest.redirected, took.plus(rest.took));
    }

    boolean passed(String id) {
        return tests.get(id) == Outcome.PASSED;
    }

    long count(Outcome outcome) {
        return tests.values().stream().filter(o -> o == outcome).count();
    }

    /** How a test ended, for people: the outcome and the first line of what it said, or that it never ran. */
    String firstLine(String id) {
        Outcome outcome = tests.get(id);
        if (outcome == null) {
            return "did not run";
        }
        String text = said.getOrDefault(id, "");
        int end = text.indexOf("\\n");
        String first = end < 0 ? text : text.substring(0, end);
        return outcome == Outcome.FAILED ? first : outcome + (first.isEmpty() ? "" : ": " + first);
    }
}
