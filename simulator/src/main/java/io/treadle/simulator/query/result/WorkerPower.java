// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What a worker draws.
 *
 * @param idleWatts while it runs no task, W
 * @param busyWatts while it runs one, W
 */
public record WorkerPower(double idleWatts, double busyWatts) {
    public WorkerPower {
        checkArgument(
                idleWatts >= 0 && busyWatts >= idleWatts && Double.isFinite(busyWatts),
                "a worker draws %s W idle and %s W busy, must be 0 or more, and busy no less than idle",
                idleWatts,
                busyWatts);
    }

    /** J, of a worker over some time. */
    double joules(double allMs, double busyMs) {
        return (idleWatts * allMs + (busyWatts - idleWatts) * busyMs) / 1000;
    }
}
