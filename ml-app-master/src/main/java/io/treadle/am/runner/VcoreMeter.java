// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

/**
 * Vcores that the container held, times how long its workers ran with them. The runner counts, because it outlives
 * ApplicationMasters.
 */
final class VcoreMeter {
    private boolean running;
    private double lookedAtSeconds;
    private long vcores;
    private double total;

    /** A worker begins to run. */
    void started(double nowSeconds, long vcoresNow) {
        running = true;
        lookedAtSeconds = nowSeconds;
        vcores = vcoresNow;
    }

    /** Call it again and again: a change of the size counts from the first look that sees it. */
    void looked(double nowSeconds, long vcoresNow) {
        if (running) {
            total += vcores * (nowSeconds - lookedAtSeconds);
            lookedAtSeconds = nowSeconds;
            vcores = vcoresNow;
        }
    }

    void ended(double nowSeconds) {
        looked(nowSeconds, vcores);
        running = false;
    }

    /** Vcore-seconds of all workers so far; never falls. */
    double vcoreSeconds() {
        return total;
    }
}
