// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import java.util.Set;

/**
 * Electric power: what the nodes draw beside the jobs' GPUs, how much all together may draw, and what a joule is worth.
 *
 * @param limitWatts the most that all nodes with all GPUs may draw, W; infinite for no limit
 * @param jobsLimitWatts the most that the GPUs of the snapshot's jobs may draw together, W; infinite for no limit
 * @param joulesLeft what may be used until all jobs have ended, J; infinite for no limit
 * @param secondsPerJoule how much sooner a job must end for one joule more, s/J; 0 where energy costs nothing
 * @param nodeWatts what a node draws that is on, without its GPUs, W
 * @param idleGpuWatts what a GPU draws that has nothing to do, W
 * @param gpuWatts a GPU's default limit, W; what a job draws for each GPU of which nobody knows more
 * @param asleep nodes that are off, with their GPUs; they are not open to tasks
 */
public record PowerView(
        double limitWatts,
        double jobsLimitWatts,
        double joulesLeft,
        double secondsPerJoule,
        double nodeWatts,
        double idleGpuWatts,
        double gpuWatts,
        Set<String> asleep) {
    public PowerView {
        asleep = Set.copyOf(asleep);
        requireAtLeast(0, "power limit", limitWatts, "W");
        requireAtLeast(0, "power limit of the jobs", jobsLimitWatts, "W");
        requireAtLeast(0, "energy left", joulesLeft, "J");
        requireAtLeast(0, "price of energy", secondsPerJoule, "s/J");
        requireAtLeast(0, "draw of a node", nodeWatts, "W");
        requireAtLeast(0, "draw of an idle GPU", idleGpuWatts, "W");
        requireAtLeast(1, "default limit of a GPU", gpuWatts, "W");
    }

    private static void requireAtLeast(double least, String what, double value, String unit) {
        if (!(value >= least)) {
            throw new IllegalArgumentException(what + " is " + value + " " + unit + ", must be at least " + least);
        }
    }

    /** Nodes that may draw all that they can, where energy costs nothing. */
    public static PowerView unlimited(double nodeWatts, double idleGpuWatts, double gpuWatts) {
        return new PowerView(
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                0,
                nodeWatts,
                idleGpuWatts,
                gpuWatts,
                Set.of());
    }

    public PowerView withLimit(double watts) {
        return new PowerView(
                watts, jobsLimitWatts, joulesLeft, secondsPerJoule, nodeWatts, idleGpuWatts, gpuWatts, asleep);
    }

    public PowerView withJobsLimit(double watts) {
        return new PowerView(limitWatts, watts, joulesLeft, secondsPerJoule, nodeWatts, idleGpuWatts, gpuWatts, asleep);
    }

    public PowerView withJoulesLeft(double joules) {
        return new PowerView(
                limitWatts, jobsLimitWatts, joules, secondsPerJoule, nodeWatts, idleGpuWatts, gpuWatts, asleep);
    }

    public PowerView withPrice(double perJoule) {
        return new PowerView(
                limitWatts, jobsLimitWatts, joulesLeft, perJoule, nodeWatts, idleGpuWatts, gpuWatts, asleep);
    }

    public PowerView withAsleep(Set<String> nodes) {
        return new PowerView(
                limitWatts, jobsLimitWatts, joulesLeft, secondsPerJoule, nodeWatts, idleGpuWatts, gpuWatts, nodes);
    }
}
