// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

/**
 * What one GPU was measured to do in a job's iterations without any other GPU.
 *
 * @param batch samples of an iteration, on this GPU
 * @param capWatts its power limit, W
 * @param seconds of an iteration
 * @param drawWatts what it drew on average meanwhile, W
 */
public record GpuSample(long batch, double capWatts, double seconds, double drawWatts) {
    public GpuSample {
        if (batch < 1) {
            throw new IllegalArgumentException("batch " + batch + " is not above 0");
        }
        requirePositive("power cap", capWatts, "W");
        requirePositive("iteration time", seconds, "s");
        requirePositive("power draw", drawWatts, "W");
    }

    private static void requirePositive(String what, double value, String unit) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + " " + value + " " + unit + " is not a finite number above 0");
        }
    }

    double joules() {
        return seconds * drawWatts;
    }
}
