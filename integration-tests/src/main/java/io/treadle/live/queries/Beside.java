// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.demo.serve.Percentiles;
import java.util.List;

/**
 * Queries that were answered by a service, and by the simulator.
 *
 * @param load part of what the workers can do
 * @param perSecond how many come
 * @param live how long each took, ms; those of the warm-up left out, as below
 * @param simulated the same ones, from the profile of the time when they were measured
 * @param foretold the same ones, from the profile of the warm-up before
 * @param overheads measured before the load
 * @param drift how much longer tasks ran while they were measured than before, as the profile has them; 1 for as long
 * @param busy part of the time for which workers ran tasks while they were measured
 */
record Beside(
        String policy,
        double load,
        double perSecond,
        List<Double> live,
        List<Double> simulated,
        List<Double> foretold,
        Overheads overheads,
        double drift,
        double busy) {
    static final double MOST_OFF = 0.15;
    private static final double PERCENT = 95;

    Beside {
        live = List.copyOf(live);
        simulated = List.copyOf(simulated);
        foretold = List.copyOf(foretold);
    }

    static double mean(List<Double> latencies) {
        return new Percentiles(latencies).mean();
    }

    static double p95(List<Double> latencies) {
        return new Percentiles(latencies).at(PERCENT);
    }

    /** Simulated, in what it was live. */
    double ofMean() {
        return mean(simulated) / mean(live);
    }

    double ofP95() {
        return p95(simulated) / p95(live);
    }

    /** Foretold, in what it was live. */
    double foretoldOfMean() {
        return mean(foretold) / mean(live);
    }

    double foretoldOfP95() {
        return p95(foretold) / p95(live);
    }

    boolean isWithin() {
        return Math.abs(ofMean() - 1) <= MOST_OFF && Math.abs(ofP95() - 1) <= MOST_OFF;
    }
}
