// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.cluster.SimCluster;
import java.util.List;
import java.util.Optional;

/**
 * What came of one policy.
 *
 * @param policy as it was asked for
 * @param cluster where
 * @param jobs all, in order of submission
 * @param measured those that count
 * @param gpuUtilization share of all GPU time that was handed out, 0 to 1
 * @param fragmentation share of the free GPU time that was on nodes on which something ran, 0 to 1
 * @param lastMs the last thing that happened, ms since the trace's zero
 * @param spanSeconds from the first thing that happened to the last
 * @param events arrivals, starts, stops and ends
 * @param wallSeconds how long the simulation took
 * @param drawn what the cluster drew; empty where the cluster does not say what that is
 */
public record Outcome(
        String policy,
        SimCluster cluster,
        List<JobRun> jobs,
        List<JobRun> measured,
        double gpuUtilization,
        double fragmentation,
        long lastMs,
        double spanSeconds,
        long events,
        double wallSeconds,
        Optional<Drawn> drawn) {
    /**
     * What a cluster drew.
     *
     * @param joules in all, J
     * @param mostWatts on average of the minute in which it was most, W; of the whole run where that is shorter
     * @param series over time
     * @param queues what the jobs of each queue drew, those above others first; none where no queue has a budget
     */
    public record Drawn(double joules, double mostWatts, DrawSeries series, List<QueueDrawn> queues) {
        public Drawn {
            queues = List.copyOf(queues);
        }
    }

    /**
     * What the GPUs of the jobs of a queue and those below it drew.
     *
     * @param queue its path, after the name of its partition where several have queues with capacities
     * @param budgetWatts what they may draw, W; empty where it has no budget of its own
     * @param meanWatts over the run, W
     * @param mostWatts at any moment, W
     * @param joules in all, J
     */
    public record QueueDrawn(
            String queue, Optional<Double> budgetWatts, double meanWatts, double mostWatts, double joules) {}

    public Outcome {
        jobs = List.copyOf(jobs);
        measured = List.copyOf(measured);
    }
}
