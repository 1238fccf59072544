// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.List;

/**
 * One reading of one device.
 *
 * @param lost true when the device does not answer any more; then the figures say nothing
 * @param watts draw, W; 0 where it cannot be read
 * @param capWatts limit that is set, W; 0 where it cannot be read
 * @param utilizationPercent share of time in which kernels ran, 0 to 100
 * @param memoryUsedMiB memory in use, MiB
 * @param temperatureCelsius temperature, °C
 * @param energyMillijoules the device's own energy counter, mJ; {@link #NO_COUNTER} where it has none
 * @param smMegahertz clock of the multiprocessors, MHz; 0 where it cannot be read
 * @param throttle what holds the clocks down, in words; empty where nothing does or nobody knows
 * @param effectiveCapWatts limit that is enforced, W; 0 where it cannot be read
 */
public record DeviceReading(
        boolean lost,
        double watts,
        double capWatts,
        double utilizationPercent,
        long memoryUsedMiB,
        double temperatureCelsius,
        long energyMillijoules,
        int smMegahertz,
        List<String> throttle,
        double effectiveCapWatts) {
    public static final long NO_COUNTER = -1;

    /** A device that does not answer. */
    public static final DeviceReading LOST = new DeviceReading(true, 0, 0, 0, 0, 0, NO_COUNTER);

    /** A device that is there and tells nothing of itself. */
    public static final DeviceReading SILENT = new DeviceReading(false, 0, 0, 0, 0, 0, NO_COUNTER);

    public DeviceReading {
        throttle = List.copyOf(throttle);
    }

    /** A reading without clocks, and without a limit beside the one that is set. */
    public DeviceReading(
            boolean lost,
            double watts,
            double capWatts,
            double utilizationPercent,
            long memoryUsedMiB,
            double temperatureCelsius,
            long energyMillijoules) {
        this(
                lost,
                watts,
                capWatts,
                utilizationPercent,
                memoryUsedMiB,
                temperatureCelsius,
                energyMillijoules,
                0,
                List.of(),
                0);
    }

    public DeviceReading withEnergy(long millijoules) {
        return new DeviceReading(
                lost,
                watts,
                capWatts,
                utilizationPercent,
                memoryUsedMiB,
                temperatureCelsius,
                millijoules,
                smMegahertz,
                throttle,
                effectiveCapWatts);
    }

    public DeviceReading withWatts(double other) {
        return new DeviceReading(
                lost,
                other,
                capWatts,
                utilizationPercent,
                memoryUsedMiB,
                temperatureCelsius,
                energyMillijoules,
                smMegahertz,
                throttle,
                effectiveCapWatts);
    }
}
