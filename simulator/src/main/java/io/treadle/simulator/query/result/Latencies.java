// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.simulator.query.engine.Finished;
import java.util.Arrays;
import java.util.List;

/** How long requests took, as a distribution. */
final class Latencies {
    private Latencies() {}

    /** ms. */
    static double[] sorted(List<Finished> finished) {
        return finished.stream().mapToDouble(Finished::latencyMs).sorted().toArray();
    }

    /** How many of them are at most so long, as a part of all. */
    static double shareWithin(double[] sorted, double ms) {
        int place = Arrays.binarySearch(sorted, Math.nextUp(ms));
        return (double) (place >= 0 ? place : -place - 1) / sorted.length;
    }
}
