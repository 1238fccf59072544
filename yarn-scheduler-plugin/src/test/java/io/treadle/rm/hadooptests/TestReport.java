// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a JVM reported of one test class.
 *
 * @param tests outcome of each test by its id
 * @param said what a failed test said
 * @param redirected schedulers that became ours; empty where the JVM ended before its tests did
 */
record TestReport(Map<String, Outcome> tests, Map<String, String> said, Optional<Integer> redirected, Duration took) {
    TestReport {
        tests = Collections.unmodifiableMap(new LinkedHashMap<>(tests));
        said = Map.copyOf(said);
    }

    static TestReport read(Path file, Duration took) throws IOException {
        Map<String, Outcome> tests = new LinkedHashMap<>();
        Map<String, String> said = new LinkedHashMap<>();
        Optional<Integer> redirected = Optional.empty();
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] cells = line.split("\t", 3);
            if (cells[0].equals(ReportWriter.END)) {
                redirected = Optional.of(Integer.valueOf(cells[1]));
            } else {
                tests.put(cells[1], Outcome.valueOf(cells[0]));
                said.put(cells[1], cells[2]);
            }
        }
        return new TestReport(tests, said, redirected, took);
    }

    boolean passed(String id) {
        return tests.get(id) == Outcome.PASSED;
    }

    long count(Outcome outcome) {
        return tests.values().stream().filter(o -> o == outcome).count();
    }

    /** First line of what a test said, or that it never ran to its end. */
    String firstLine(String id) {
        String text = said.getOrDefault(id, "");
        if (!tests.containsKey(id)) {
            return "did not end";
        }
        int end = text.indexOf("\\n");
        return end < 0 ? text : text.substring(0, end);
    }
}
