// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** The classes that are run, from {@code hadoop-own-tests.txt}: {@code [group]}, then {@code class seconds [no-scheduler]}. */
final class OwnTests {
    static final String LIST = "/hadoop-own-tests.txt";
    private static final String NO_SCHEDULER = "no-scheduler";

    private OwnTests() {}

    static List<OwnTest> all() throws IOException {
        List<OwnTest> tests = new ArrayList<>();
        String group = "";
        for (String line : lines(LIST)) {
            if (line.startsWith("[")) {
                group = line.substring(1, line.length() - 1);
                continue;
            }
            String[] cells = line.split("\\s+");
            if (cells.length < 2 || cells.length > 3 || (cells.length == 3 && !cells[2].equals(NO_SCHEDULER))) {
                throw new IllegalStateException(LIST + ": '" + line
                        + "' is none of '[group]', 'class seconds' and 'class seconds no-scheduler'");
            }
            tests.add(new OwnTest(group, cells[0], Integer.parseInt(cells[1]), cells.length == 2));
        }
        return List.copyOf(tests);
    }

    /** @param patterns names of classes or groups, separated by commas, {@code *} for anything; empty: all */
    static List<OwnTest> matching(String patterns) throws IOException {
        List<OwnTest> all = all();
        if (patterns.isEmpty()) {
            return all;
        }
        List<Pattern> wanted = Arrays.stream(patterns.split(","))
                .map(p -> Pattern.compile(Pattern.quote(p.strip()).replace("*", "\\E.*\\Q")))
                .toList();
        List<OwnTest> chosen = all.stream()
                .filter(t -> wanted.stream()
                        .anyMatch(w -> w.matcher(t.name()).matches()
                                || w.matcher(t.group()).matches()))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("'" + patterns + "' names none of the " + all.size()
                    + " classes and of the groups "
                    + all.stream().map(OwnTest::group).distinct().toList()
                    + "\nMaybe 'preemption' or 'TestCapacityScheduler*,TestRMRestart'.");
        }
        return chosen;
    }

    /** Lines of a file on the class path without comments and empty ones. */
    static List<String> lines(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(OwnTests.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        }
    }
}
