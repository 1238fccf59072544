// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.List;
import java.util.Map;

/**
 * What is published about the GPU jobs of a cluster. The figures and their sources stand in the resource file of the
 * cluster's name.
 *
 * @param name what {@code --like} calls it
 * @param title which cluster, of whom, when
 * @param notes what is not published and what stands in for it
 * @param jobsPerHour submissions over the whole trace
 * @param meanDurationSeconds over all GPU jobs
 * @param durations how long jobs last, rising
 * @param buckets jobs by GPU count, rising
 * @param states how jobs end; empty where it is not published
 * @param hours submissions by hour of the day
 * @param weekdays submissions by day, Monday first
 * @param queues GPUs of each virtual cluster; empty where they are not published
 */
record ClusterProfile(
        String name,
        String title,
        List<String> notes,
        double jobsPerHour,
        double meanDurationSeconds,
        double maxDurationSeconds,
        List<Knot> durations,
        List<GpuBucket> buckets,
        List<StateShare> states,
        UserCurve users,
        Curve hours,
        Curve weekdays,
        Map<String, Long> queues) {

    /** So many percent of the jobs last at most so many seconds. */
    record Knot(double seconds, double percent) {}

    /**
     * Jobs of one GPU count, or of a few counts that are published as one.
     *
     * @param upTo the largest count as published
     * @param percent of all jobs
     * @param meanDurationSeconds GPU-seconds per job over GPUs per job
     * @param rough whether the mean comes from shares too small to be precise
     * @param counts the GPU counts in the bucket and how often each of them is, adding up to 1
     */
    record GpuBucket(long upTo, double percent, double meanDurationSeconds, boolean rough, List<GpuCount> counts) {
        double meanGpus() {
            return counts.stream().mapToDouble(one -> one.gpus() * one.share()).sum();
        }
    }

    /** A GPU count and its share of the bucket. */
    record GpuCount(int gpus, double share) {}

    /** How jobs end: percent of the jobs and of their GPU time. */
    record StateShare(String name, double percent, double gpuTimePercent) {}

    /**
     * Who uses the cluster.
     *
     * @param count users
     * @param top from the fewest on
     */
    record UserCurve(int count, List<TopUsers> top, boolean isPublished) {}

    /** So many percent of the users hold so many percent of the GPU time. */
    record TopUsers(double percent, double gpuTimePercent) {}

    /** Weights of which only the proportions count. */
    record Curve(List<Double> weights, boolean isPublished) {
        /** Weight over the mean weight. */
        double at(int index) {
            double sum = weights.stream().mapToDouble(weight -> weight).sum();
            return weights.get(index) * weights.size() / sum;
        }
    }
}
