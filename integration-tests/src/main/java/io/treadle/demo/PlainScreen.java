// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Not a terminal: one line for each change of a job. */
final class PlainScreen implements Screen {
    private final PrintStream out;
    private final Map<String, String> shown = new HashMap<>();

    PlainScreen(PrintStream out) {
        this.out = out;
    }

    @Override
    public void line(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void update(String policy, double elapsedSeconds, List<JobRow> rows) {
        for (JobRow row : rows) {
            String key = row.state() + row.gang() + row.vcores();
            String before = shown.put(row.name(), key);
            if (!key.equals(before) && !row.state().equals("arrives")) {
                line(String.format(Locale.ROOT, " %s  %-11s %s", clock(elapsedSeconds), row.name(), describe(row)));
            }
        }
    }

    @Override
    public void endRun() {
        shown.clear();
    }

    static String clock(double seconds) {
        long whole = Math.round(seconds);
        return String.format(Locale.ROOT, "%02d:%02d", whole / 60, whole % 60);
    }

    private static String describe(JobRow row) {
        StringBuilder text = new StringBuilder(row.state());
        if (row.vcores() > 0 && !row.state().equals("done") && !row.state().equals("ending")) {
            text.append(", gang ").append(row.gang()).append(" on ").append(String.join(" ", row.nodes()));
            text.append(", vcores ").append(row.vcoresText());
            if (row.samplesPerSecond() > 0) {
                text.append(String.format(
                        Locale.ROOT, ", %.0f samples/s, %.0f %%", row.samplesPerSecond(), row.done() * 100));
            }
        }
        if (!row.note().isEmpty()) {
            text.append(row.state().equals("done") ? " " : ", ").append(row.note());
        }
        return text.toString();
    }
}
