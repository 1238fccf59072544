// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import java.util.List;

/**
 * What came of one policy.
 *
 * @param policy as it was asked for
 * @param jobs all, in order of submission
 * @param measured those that count
 * @param gpuUtilization share of all GPU time that was handed out, 0 to 1
 * @param fragmentation share of the free GPU time that was on nodes on which something ran, 0 to 1
 * @param events arrivals, starts, stops and ends
 * @param wallSeconds how long the simulation took
 */
public record Outcome(
        String policy,
        List<JobRun> jobs,
        List<JobRun> measured,
        double gpuUtilization,
        double fragmentation,
        long events,
        double wallSeconds) {
    public Outcome {
        jobs = List.copyOf(jobs);
        measured = List.copyOf(measured);
    }
}
