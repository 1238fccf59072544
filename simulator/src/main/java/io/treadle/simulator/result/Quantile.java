// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

/** Quantiles with linear interpolation between the two nearest values. */
public final class Quantile {
    private Quantile() {}

    /** @param sorted rising, at least one; infinite ones may be among them */
    public static double of(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) Math.floor(at);
        double low = sorted[below];
        double high = sorted[Math.min(below + 1, sorted.length - 1)];
        return at == below || low == high ? low : low + (high - low) * (at - below);
    }
}
