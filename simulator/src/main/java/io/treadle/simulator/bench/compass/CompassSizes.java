// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import java.util.List;

/**
 * How much is looked at.
 *
 * @param requests of each run
 * @param loads how many come in a second
 * @param manyPerSecond how many come in a second to many workers
 * @param manyWorkers how many hash has for them
 * @param manyRequests of these runs
 * @param deciding numbers of workers among which decisions are timed
 */
public record CompassSizes(
        int requests,
        List<Double> loads,
        double manyPerSecond,
        int manyWorkers,
        int manyRequests,
        List<Integer> deciding) {
    public static final CompassSizes USUAL =
            new CompassSizes(1000, List.of(0.5, 1.0, 2.0, 3.0, 4.0), 40, 140, 4000, List.of(100, 1000));

    /** A look at all of it in seconds: of its figures none says anything. */
    public static final CompassSizes QUICK = new CompassSizes(20, List.of(2.0), 4, 12, 40, List.of(10));

    public CompassSizes {
        loads = List.copyOf(loads);
        deciding = List.copyOf(deciding);
    }
}
