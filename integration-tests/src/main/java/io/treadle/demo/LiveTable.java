// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The live table as lines of text, none longer than the terminal is wide. */
final class LiveTable {
    private final int width;
    private final String expected;

    /**
     * @param width columns of the terminal
     * @param expectedSeconds about how long a run takes
     */
    LiveTable(int width, double expectedSeconds) {
        this.width = width;
        this.expected = PlainScreen.clock(expectedSeconds);
    }

    List<String> lines(String policy, double elapsedSeconds, List<JobRow> rows) {
        List<String> lines = new ArrayList<>();
        String clock = PlainScreen.clock(elapsedSeconds) + " / about " + expected;
        lines.add(cut(" " + policy
                + " ".repeat(Math.max(1, Math.min(width, 100) - policy.length() - clock.length() - 2)) + clock));
        lines.add(cut(line("job", "gang", "state", "vcores", "", "samples/s", "done", "note")));
        for (JobRow row : rows) {
            boolean runs = !row.speeds().isEmpty();
            lines.add(cut(line(
                    row.name(),
                    row.gang() + (row.nodes().isEmpty() ? "" : " " + String.join(",", row.nodes())),
                    row.state(),
                    row.vcoresText(),
                    Sparkline.of(row.speeds()),
                    runs ? String.format(Locale.ROOT, "%.0f", row.samplesPerSecond()) : "–",
                    row.done() > 0 ? String.format(Locale.ROOT, "%.0f %%", row.done() * 100) : "–",
                    row.note())));
        }
        return lines;
    }

    private static String line(
            String job,
            String gang,
            String state,
            String vcores,
            String speeds,
            String speed,
            String done,
            String note) {
        return String.format(
                        Locale.ROOT,
                        " %-11s %-12s %-9s %8s  %-8s %9s %6s   %s",
                        job,
                        gang,
                        state,
                        vcores,
                        speeds,
                        speed,
                        done,
                        note)
                .stripTrailing();
    }

    private String cut(String line) {
        return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
    }
}
