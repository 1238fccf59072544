// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.Arrays;

/**
 * Goes through a log in order of time. Within one moment what ends comes first, then nodes go down and come up, then
 * comes what is submitted, then what starts; a run of no length is started and stopped in one go.
 */
final class Replay {
    interface Visitor {
        default void came(int job, long ms) {}

        default void started(int run, long ms) {}

        default void stopped(int run, long ms) {}

        /** @param change its number in the log */
        default void nodeChanged(int change, long ms) {}
    }

    private Replay() {}

    static void walk(RunLog log, Visitor visitor) {
        int[] stops = stops(log);
        int stop = 0;
        int run = 0;
        int job = 0;
        int change = 0;
        while (stop < stops.length || run < log.runs() || job < log.came() || change < log.nodeChanges()) {
            long stopMs = stop < stops.length ? log.toMs(stops[stop]) : RunLog.NEVER;
            long cameMs = job < log.came() ? log.jobs().get(job).submitMs() : RunLog.NEVER;
            long startMs = run < log.runs() ? log.fromMs(run) : RunLog.NEVER;
            long changeMs = change < log.nodeChanges() ? log.changedMs(change) : RunLog.NEVER;
            if (stopMs <= cameMs && stopMs <= startMs && stopMs <= changeMs) {
                visitor.stopped(stops[stop++], stopMs);
            } else if (changeMs <= cameMs && changeMs <= startMs) {
                visitor.nodeChanged(change++, changeMs);
            } else if (cameMs <= startMs) {
                visitor.came(job++, cameMs);
            } else {
                visitor.started(run, startMs);
                if (log.toMs(run) == startMs) {
                    visitor.stopped(run, startMs);
                }
                run++;
            }
        }
    }

    /** Runs of some length that were stopped or ended, in the order in which they were; without boxed numbers. */
    private static int[] stops(RunLog log) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, log.runs()));
        long zero = log.runs() == 0 ? 0 : log.fromMs(0);
        if (log.lastMs() - zero >= 1L << (Long.SIZE - 1 - bits)) {
            throw new IllegalArgumentException(log.runs() + " runs over " + (log.lastMs() - zero) + " ms are too many");
        }
        long[] keys = new long[log.runs()];
        int count = 0;
        for (int run = 0; run < log.runs(); run++) {
            long to = log.toMs(run);
            if (to != RunLog.NEVER && to > log.fromMs(run)) {
                keys[count++] = ((to - zero) << bits) | run;
            }
        }
        Arrays.sort(keys, 0, count);
        int[] runs = new int[count];
        for (int i = 0; i < count; i++) {
            runs[i] = (int) (keys[i] & ((1L << bits) - 1));
        }
        return runs;
    }
}
