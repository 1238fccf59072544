// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.model.energy.CapDraw;
import io.treadle.core.model.energy.GpuSample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * Draw and energy of one simulated device: 15 % of its limit when idle, towards 90 % while it is held, and under a cap as
 * much less as the model of {@link CapDraw} says for one that draws 90 % at its own limit.
 */
final class SimulatedDraw {
    static final double IDLE_SHARE = 0.15;
    static final double BUSY_SHARE = 0.90;
    static final double SETTLING_SECONDS = 4;
    /** The curve is that of a device of 100 W. */
    private static final double MODEL_WATTS = 100;

    private static final CapDraw CURVE =
            CapDraw.fit(List.of(new GpuSample(1, MODEL_WATTS, 1, MODEL_WATTS * BUSY_SHARE)));

    private final double limitWatts;
    private final double noise;
    private final Random random;
    private double activity;
    private double watts;
    private double millijoules;

    /**
     * @param noise standard deviation of the draw as a share of it; 0 for none
     * @param uuid of the device, from which its noise is seeded
     */
    SimulatedDraw(double limitWatts, double noise, String uuid) {
        this.limitWatts = limitWatts;
        this.noise = noise;
        CRC32 seed = new CRC32();
        seed.update(uuid.getBytes(StandardCharsets.UTF_8));
        this.random = new Random(seed.getValue());
        this.watts = limitWatts * IDLE_SHARE;
    }

    void advance(boolean busy, double capWatts, double seconds) {
        activity += ((busy ? 1 : 0) - activity) * (1 - Math.exp(-seconds / SETTLING_SECONDS));
        double idle = Math.min(limitWatts * IDLE_SHARE, capWatts);
        double model = idle + activity * Math.max(0, busyWatts(capWatts) - idle);
        watts = noise > 0 ? Math.max(0, model * (1 + noise * random.nextGaussian())) : model;
        millijoules += watts * seconds * 1000;
    }

    private double busyWatts(double capWatts) {
        return limitWatts > 0 ? CURVE.watts(MODEL_WATTS * capWatts / limitWatts) * limitWatts / MODEL_WATTS : 0;
    }

    /** Share of the time in which kernels run, 0 to 1. */
    double activity() {
        return activity;
    }

    /** W. */
    double watts() {
        return watts;
    }

    /** mJ since the start. */
    long millijoules() {
        return Math.round(millijoules);
    }
}
