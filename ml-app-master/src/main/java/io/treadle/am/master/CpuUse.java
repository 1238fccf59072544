// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** How many cores a worker uses, over windows in which it has one size. */
final class CpuUse {
    /** After a change of size, before it is looked at: what was begun is ended. */
    private static final double SETTLE_SECONDS = 5;

    private static final double WINDOW_SECONDS = 10;
    /** So many times its size, in two windows, is no chance. */
    private static final double TOO_MUCH = 1.3;

    private static final int WINDOWS = 2;

    private long vcores;
    /** Whether the first window has begun. */
    private boolean settled;

    private double fromSeconds;
    private double fromCpuSeconds;
    private double usedVcores;
    private int windowsAbove;
    private boolean known;

    /**
     * @param cpuSeconds CPU time of the worker so far
     * @param vcoresNow what its container has
     * @param coresPerVcore what one of them stands for
     */
    void look(double nowSeconds, double cpuSeconds, long vcoresNow, double coresPerVcore) {
        if (vcoresNow != vcores || cpuSeconds < fromCpuSeconds) {
            vcores = vcoresNow;
            windowsAbove = 0;
            settled = false;
            known = false;
            begin(nowSeconds + SETTLE_SECONDS, cpuSeconds);
            return;
        }
        if (nowSeconds < fromSeconds) {
            fromCpuSeconds = cpuSeconds;
            return;
        }
        if (!settled) {
            settled = true;
            begin(nowSeconds, cpuSeconds);
            return;
        }
        double seconds = nowSeconds - fromSeconds;
        if (seconds >= WINDOW_SECONDS) {
            usedVcores = (cpuSeconds - fromCpuSeconds) / seconds / coresPerVcore;
            known = true;
            windowsAbove = vcores > 0 && usedVcores > TOO_MUCH * vcores ? windowsAbove + 1 : 0;
            begin(nowSeconds, cpuSeconds);
        }
    }

    private void begin(double nowSeconds, double cpuSeconds) {
        fromSeconds = nowSeconds;
        fromCpuSeconds = cpuSeconds;
    }

    /** Whether it lastingly uses more than it has. */
    boolean isAboveSize() {
        return windowsAbove >= WINDOWS;
    }

    /** Whether it has had the size that it has for a window. */
    boolean isKnown() {
        return known;
    }

    /** In the last window. */
    double vcores() {
        return usedVcores;
    }
}
