// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongConsumer;

/** How far a policy is, with an estimate of the time left; one line that is written over on a terminal. */
final class ProgressLine implements LongConsumer {
    private static final long EVERY_NANOS = 500_000_000;
    private static final int LOOK_EVERY = 256;

    private final PrintWriter out;
    private final String policy;
    private final long jobs;
    private final boolean terminal;
    private final long start = System.nanoTime();
    private long shown = start;

    ProgressLine(PrintWriter out, boolean terminal, String policy, long jobs) {
        this.terminal = terminal;
        this.out = out;
        this.policy = policy;
        this.jobs = jobs;
    }

    @Override
    public void accept(long ended) {
        if (ended % LOOK_EVERY != 0) {
            return;
        }
        long now = System.nanoTime();
        // In a file a line every ten seconds is enough.
        if (now - shown < (terminal ? EVERY_NANOS : 20 * EVERY_NANOS)) {
            return;
        }
        shown = now;
        double seconds = (now - start) / 1e9;
        out.printf(
                Locale.ROOT,
                "%s%s: %.0f %% of %,d jobs, %.0f s, about %.0f s left%s",
                terminal ? "\r" : "",
                policy,
                100.0 * ended / jobs,
                jobs,
                seconds,
                seconds * (jobs - ended) / ended,
                terminal ? "   " : "\n");
        out.flush();
    }

    void done() {
        if (terminal && shown != start) {
            out.print("\r" + " ".repeat(70) + "\r");
            out.flush();
        }
    }
}
