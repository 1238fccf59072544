// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.replay.Watcher;
import io.treadle.simulator.sweep.SweepWatcher;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongConsumer;

/** How far a sweep is, with an estimate of the time left; one line that is written over on a terminal. */
final class SweepProgress implements SweepWatcher {
    private static final long TERMINAL_NANOS = 500_000_000;
    private static final long FILE_NANOS = 10_000_000_000L;
    private static final int LOOK_EVERY = 256;

    private final PrintWriter out;
    private final boolean terminal;
    private final long start = System.nanoTime();
    private long shown = start;
    private int open;
    private int done;
    private int running;
    private double share;

    SweepProgress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    @Override
    public synchronized void begins(int runs, int doneBefore) {
        open = runs - doneBefore;
        if (doneBefore > 0) {
            out.printf(
                    Locale.ROOT, "%,d of %,d runs were done before (--again runs them once more)%n", doneBefore, runs);
            out.flush();
        }
    }

    @Override
    public Watcher run() {
        return new OneRun();
    }

    /** One policy at one point, told of by one thread. */
    private final class OneRun implements Watcher {
        private double own;

        @Override
        public LongConsumer begins(String policy, long jobs) {
            advance(1, 0, 0);
            return ended -> {
                if (ended % LOOK_EVERY == 0) {
                    double at = (double) ended / jobs;
                    advance(0, 0, at - own);
                    own = at;
                }
            };
        }

        @Override
        public void done() {
            advance(-1, 1, 1 - own);
        }
    }

    private synchronized void advance(int begun, int ended, double further) {
        running += begun;
        done += ended;
        share += further;
        long now = System.nanoTime();
        if (now - shown < (terminal ? TERMINAL_NANOS : FILE_NANOS) || share <= 0) {
            return;
        }
        shown = now;
        double seconds = (now - start) / 1e9;
        out.printf(
                Locale.ROOT,
                "%s%,d of %,d runs done, %d running, %.0f s, about %.0f s left%s",
                terminal ? "\r" : "",
                done,
                open,
                running,
                seconds,
                Math.max(0, seconds * (open - share) / share),
                terminal ? "   " : "\n");
        out.flush();
    }

    @Override
    public synchronized void ends() {
        if (terminal && shown != start) {
            out.print("\r" + " ".repeat(70) + "\r");
            out.flush();
        }
    }
}
