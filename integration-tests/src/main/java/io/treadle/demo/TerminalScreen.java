// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.PrintStream;
import java.util.List;

/** A terminal: the table is drawn in place. */
final class TerminalScreen implements Screen {
    private static final String ESCAPE = "\u001b[";

    private final PrintStream out;
    private final LiveTable table;
    private int drawn;

    TerminalScreen(PrintStream out, LiveTable table) {
        this.out = out;
        this.table = table;
    }

    @Override
    public synchronized void line(String text) {
        endRun();
        out.println(text);
        out.flush();
    }

    @Override
    public synchronized void update(String policy, double elapsedSeconds, List<JobRow> rows) {
        List<String> lines = table.lines(policy, elapsedSeconds, rows);
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append(ESCAPE).append(drawn).append('A');
        }
        for (String line : lines) {
            text.append(line).append(ESCAPE).append("K\n");
        }
        out.print(text);
        out.flush();
        drawn = lines.size();
    }

    @Override
    public synchronized void endRun() {
        drawn = 0;
    }
}
