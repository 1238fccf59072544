// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A query to come.
 *
 * @param atMs since the load began
 */
record Arrival(double atMs, BenchWorkflow workflow) {
    private static final double MS = 1e3;

    /** Poisson arrivals; the same seed gives the same. */
    static List<Arrival> poisson(List<BenchWorkflow> mix, double perSecond, double seconds, long seed) {
        Random random = new Random(seed);
        double weights = mix.stream().mapToDouble(BenchWorkflow::weight).sum();
        List<Arrival> arrivals = new ArrayList<>();
        double ms = 0;
        while (true) {
            ms -= Math.log(1 - random.nextDouble()) * MS / perSecond;
            if (ms >= seconds * MS) {
                return List.copyOf(arrivals);
            }
            arrivals.add(new Arrival(ms, draw(mix, random.nextDouble() * weights)));
        }
    }

    private static BenchWorkflow draw(List<BenchWorkflow> mix, double drawn) {
        double left = drawn;
        for (BenchWorkflow each : mix) {
            left -= each.weight();
            if (left < 0) {
                return each;
            }
        }
        return mix.get(mix.size() - 1);
    }
}
