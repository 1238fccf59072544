// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.Arrays;

/** Which worker runs each task of a query. */
public final class QueryPlan {
    /** Where a task goes is decided when its inputs are there. */
    public static final int OPEN = -1;

    private final int[] workers;
    private final double[] finishMs;

    /** All open. */
    QueryPlan(int tasks) {
        workers = new int[tasks];
        finishMs = new double[tasks];
        Arrays.fill(workers, OPEN);
        Arrays.fill(finishMs, Double.NaN);
    }

    void place(int task, int worker, double finish) {
        workers[task] = worker;
        finishMs[task] = finish;
    }

    /** A task goes elsewhere. */
    public void move(int task, int worker) {
        workers[task] = worker;
    }

    /** From 0, or {@link #OPEN}. */
    public int worker(int task) {
        return workers[task];
    }

    /** When a task ends by what was known when it was planned, ms; NaN where nobody has reckoned. */
    public double finishMs(int task) {
        return finishMs[task];
    }

    /** When all end, likewise. */
    public double finishMs() {
        return Arrays.stream(finishMs).max().orElseThrow();
    }

    public int[] workers() {
        return workers.clone();
    }
}
