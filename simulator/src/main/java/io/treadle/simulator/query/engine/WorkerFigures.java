// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

/** What a worker has done. */
public final class WorkerFigures {
    private final FoldingSeries busy = new FoldingSeries();
    private final CacheFigures all;
    private double busyMs;
    private double fetchWaitMs;
    private long tasks;
    private long hits;
    private long misses;
    private long evictions;

    WorkerFigures(CacheFigures all) {
        this.all = all;
    }

    /** A task takes the worker now, and begins when its models are there. */
    void ran(double nowMs, double startMs, double endMs) {
        tasks++;
        busyMs += endMs - startMs;
        fetchWaitMs += startMs - nowMs;
        busy.addTime(startMs, endMs);
    }

    /** A task was started that needs so many models. */
    void looked(double nowMs, int needed, int missing, int gone) {
        hits += needed - missing;
        misses += missing;
        evictions += gone;
        all.looked(nowMs, needed, missing);
    }

    /** How long it ran tasks in each stretch of time, ms. */
    public FoldingSeries busy() {
        return busy;
    }

    public double busyMs() {
        return busyMs;
    }

    /** How long tasks held it without running, since their models were on the way, ms. */
    public double fetchWaitMs() {
        return fetchWaitMs;
    }

    public long tasks() {
        return tasks;
    }

    /** Models that were there, or on their way, when the task that needs them started. */
    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    /** Models that went for others when a task started. */
    public long evictions() {
        return evictions;
    }
}
