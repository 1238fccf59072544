// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How fast a job was and what its GPUs drew in one configuration, as its ApplicationMaster measured it (spec: {@code
 * docs/spec/profile-record.md}).
 *
 * @param gpus of the whole job
 * @param nodes that its GPUs were on
 * @param batch samples of a gradient pass of the whole job; 0 where unknown
 * @param passes gradient passes that a step adds up before gradients are exchanged
 * @param capWatts power limit in force on each GPU, W
 * @param samplesPerSecond speed of the whole job
 * @param watts average draw of all the job's GPUs together, W
 * @param seconds how long it was measured, over all measurements
 * @param error relative standard error of {@code samplesPerSecond}; 0 where unknown
 * @param count how often it was measured
 */
public record EnergyPoint(
        int gpus,
        int nodes,
        long batch,
        long passes,
        double capWatts,
        double samplesPerSecond,
        double watts,
        double seconds,
        double error,
        long count) {
    /** Limits are held on average and read with an error: more than this over the cap no GPU draws. */
    private static final double MOST_OVER_CAP = 1.1;
    /** Caps that differ by less are the same. */
    private static final double ALIKE_WATTS = 2;

    private static final double ALIKE = 0.02;
    /** Taken for the relative standard error where it is unknown. */
    private static final double UNKNOWN_ERROR = 0.05;
    /** Nothing is known better, however often it was measured: so a point goes on following its job. */
    private static final double LEAST_ERROR = 0.005;

    /** Of a job whose steps are one pass each. */
    public EnergyPoint(
            int gpus,
            int nodes,
            long batch,
            double capWatts,
            double samplesPerSecond,
            double watts,
            double seconds,
            double error,
            long count) {
        this(gpus, nodes, batch, 1, capWatts, samplesPerSecond, watts, seconds, error, count);
    }

    /** Whether a job on GPUs can have been so. */
    public boolean isPossible() {
        return gpus >= 1
                && nodes >= 1
                && nodes <= gpus
                && batch >= 0
                && passes >= 1
                && isAboveZero(capWatts)
                && isAboveZero(samplesPerSecond)
                && isAboveZero(watts)
                && watts <= MOST_OVER_CAP * capWatts * gpus;
    }

    private static boolean isAboveZero(double value) {
        return value > 0 && !Double.isInfinite(value);
    }

    /** Whether caps of so many watts are the same, but for how drivers round. */
    public static boolean areAlike(double capWatts, double otherWatts) {
        return Math.abs(capWatts - otherWatts) <= Math.max(ALIKE_WATTS, ALIKE * otherWatts);
    }

    /** Whether both were measured in the same configuration. */
    public boolean isLike(EnergyPoint other) {
        return gpus == other.gpus
                && nodes == other.nodes
                && batch == other.batch
                && passes == other.passes
                && areAlike(capWatts, other.capWatts);
    }

    /** The relative standard error, or what is taken for it where it is unknown. */
    public double knownError() {
        return error > 0 ? error : UNKNOWN_ERROR;
    }

    public EnergyPoint withBatch(long newBatch) {
        return new EnergyPoint(gpus, nodes, newBatch, passes, capWatts, samplesPerSecond, watts, seconds, error, count);
    }

    public EnergyPoint withError(double newError) {
        return new EnergyPoint(gpus, nodes, batch, passes, capWatts, samplesPerSecond, watts, seconds, newError, count);
    }

    /** Both measurements of this configuration, each weighed by the inverse of its variance. */
    public EnergyPoint refinedBy(EnergyPoint later) {
        double weight = 1 / (knownError() * knownError());
        double laterWeight = 1 / (later.knownError() * later.knownError());
        double sum = weight + laterWeight;
        return new EnergyPoint(
                gpus,
                nodes,
                batch,
                passes,
                capWatts,
                (weight * samplesPerSecond + laterWeight * later.samplesPerSecond) / sum,
                (weight * watts + laterWeight * later.watts) / sum,
                seconds + later.seconds,
                Math.max(LEAST_ERROR, 1 / Math.sqrt(sum)),
                count + later.count);
    }

    /** Energy of a sample, J. */
    public double joulesPerSample() {
        return watts / samplesPerSecond;
    }

    void writeTo(ObjectNode json) {
        json.put("gpus", gpus)
                .put("nodes", nodes)
                .put("batch", batch)
                .put("capWatts", capWatts)
                .put("samplesPerSecond", samplesPerSecond)
                .put("watts", watts)
                .put("seconds", seconds)
                .put("error", error)
                .put("count", count);
        if (passes > 1) {
            json.put("passes", passes);
        }
    }

    static EnergyPoint from(Fields json) {
        return new EnergyPoint(
                (int) json.integer("gpus", 1, 1_000_000),
                (int) json.integer("nodes", 1, 1_000_000, 1),
                json.integer("batch", 0, 1L << 53, 0),
                json.integer("passes", 1, 1L << 53, 1),
                json.number("capWatts", 0, 1e6),
                json.number("samplesPerSecond", 0, 1e12),
                json.number("watts", 0, 1e9),
                json.number("seconds", 0, 1e9, 0),
                json.number("error", 0, 1e6, 0),
                json.integer("count", 0, 1L << 53, 1));
    }
}
