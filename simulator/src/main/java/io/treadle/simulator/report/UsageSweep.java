// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.Arrays;

/** Adds up what is in use while it goes through a log: exact, for no moment is sampled. */
final class UsageSweep implements Replay.Visitor {
    private final RunLog log;
    private final long zeroMs;
    private final double stretchMs;
    private final double[] usedParts;
    private final double[] usedNodes;
    private final double[] running;
    private final double[] pending;
    private final long[] held;
    private final boolean[] isWaiting;
    private double nowMs;
    private long partsNow;
    private int nodesNow;
    private int runningNow;
    private int pendingNow;
    private long mostPartsNow = -1;
    private long busiestMs;

    private UsageSweep(RunLog log, int stretches) {
        this.log = log;
        zeroMs = log.jobs().get(0).submitMs();
        stretchMs = Math.max(1, (double) (log.lastMs() - zeroMs) / stretches);
        usedParts = new double[stretches];
        usedNodes = new double[stretches];
        running = new double[stretches];
        pending = new double[stretches];
        held = new long[log.nodes().size()];
        isWaiting = new boolean[log.jobs().size()];
    }

    /** @param stretches how many, from the first submission to the last thing that happened */
    static TimeSeries of(RunLog log, int stretches) {
        UsageSweep series = new UsageSweep(log, stretches);
        Replay.walk(log, series);
        series.passTo(log.lastMs());
        double[] usedGpus = Arrays.stream(series.usedParts)
                .map(parts -> parts / RunLog.CARD)
                .toArray();
        return new TimeSeries(
                series.stretchMs / 1000, usedGpus, series.usedNodes, series.running, series.pending, series.busiestMs);
    }

    private void passTo(long ms) {
        double end = ms - zeroMs;
        while (nowMs < end) {
            int stretch = Math.min((int) (nowMs / stretchMs), usedParts.length - 1);
            double until = stretch == usedParts.length - 1 ? end : Math.min(end, (stretch + 1) * stretchMs);
            // Rounding may leave the moment a hair before the stretch's end: then the next one begins here.
            double share = Math.max(0, until - nowMs) / stretchMs;
            usedParts[stretch] += share * partsNow;
            usedNodes[stretch] += share * nodesNow;
            running[stretch] += share * runningNow;
            pending[stretch] += share * pendingNow;
            nowMs = until > nowMs ? until : Math.nextUp(nowMs);
        }
    }

    @Override
    public void came(int job, long ms) {
        passTo(ms);
        if (!log.isLeftOut(job)) {
            isWaiting[job] = true;
            pendingNow++;
        }
    }

    @Override
    public void started(int run, long ms) {
        passTo(ms);
        change(run, 1);
        if (partsNow > mostPartsNow) {
            mostPartsNow = partsNow;
            busiestMs = ms;
        }
    }

    @Override
    public void stopped(int run, long ms) {
        passTo(ms);
        change(run, -1);
    }

    private void change(int run, int sign) {
        int job = log.job(run);
        runningNow += sign;
        if (sign > 0 == isWaiting[job]) {
            isWaiting[job] = sign < 0 && log.toMs(run) < log.endMs(job);
            pendingNow += sign > 0 ? -1 : isWaiting[job] ? 1 : 0;
        }
        for (int piece = log.firstPiece(run); piece < log.endPiece(run); piece++) {
            int node = log.node(piece);
            boolean wasUsed = held[node] > 0;
            held[node] += sign * (long) log.parts(piece);
            partsNow += sign * (long) log.parts(piece);
            nodesNow += (held[node] > 0 ? 1 : 0) - (wasUsed ? 1 : 0);
        }
    }
}
