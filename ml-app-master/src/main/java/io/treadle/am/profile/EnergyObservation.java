// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.EnergyPoint;
import java.util.List;

/**
 * A job's GPUs at one moment.
 *
 * @param seconds now, on any clock that does not go back
 * @param running whether the whole gang runs
 * @param start which start of the gang this is; a change begins every measurement anew
 * @param vcores vcores of a worker: a change begins every measurement anew
 * @param uncapped whether its containers have no power of ours: a cap that is still in force goes soon
 * @param gpus of the whole job; 0 while the energy of some worker is not known
 * @param nodes that they are on
 * @param workers that have them
 * @param batch samples of a gradient pass of the whole job; 0 where unknown
 * @param passes gradient passes of a step; 0 where some worker does not say, and so takes no other batch
 * @param batchAnswer what came of the batch that was wanted last
 * @param lowestCapWatts limit in force on the GPU with the lowest, W; 0 where unknown
 * @param highestCapWatts limit in force on the GPUs of the worker with the highest, W; 0 where unknown
 * @param leastCapWatts the least that each GPU can be limited to, W; 0 where unknown
 * @param defaultCapWatts limit of each GPU without a cap, W; 0 where unknown
 * @param samples each worker's progress
 * @param energy what each worker's GPUs have spent
 */
public record EnergyObservation(
        double seconds,
        boolean running,
        int start,
        long vcores,
        boolean uncapped,
        int gpus,
        int nodes,
        int workers,
        long batch,
        long passes,
        BatchAnswer batchAnswer,
        double lowestCapWatts,
        double highestCapWatts,
        double leastCapWatts,
        double defaultCapWatts,
        List<SampleSeries> samples,
        List<EnergySeries> energy) {
    private static final double BATCHES_ALIKE = 0.03;

    public EnergyObservation {
        samples = List.copyOf(samples);
        energy = List.copyOf(energy);
    }

    /** Whether there is anything to measure. */
    boolean isMetered() {
        return gpus > 0 && lowestCapWatts > 0 && EnergyPoint.areAlike(highestCapWatts, lowestCapWatts);
    }

    /** Whether every GPU has the cap. */
    boolean has(double capWatts) {
        return gpus > 0
                && EnergyPoint.areAlike(lowestCapWatts, capWatts)
                && EnergyPoint.areAlike(highestCapWatts, capWatts);
    }

    /** Whether every worker has told of progress since it was started. */
    boolean trains() {
        return samples.stream().noneMatch(SampleSeries::isEmpty);
    }

    /** Whether so many samples of a pass are about as many: epochs are not always whole batches. */
    public static boolean areAlike(long batch, long other) {
        return Math.abs(batch - other) <= BATCHES_ALIKE * Math.max(batch, other);
    }

    /** Whether a measurement of the other is one of this. */
    boolean isLike(EnergyObservation other) {
        return start == other.start
                && vcores == other.vcores
                && gpus == other.gpus
                && nodes == other.nodes
                && areAlike(batch, other.batch)
                && EnergyPoint.areAlike(lowestCapWatts, other.lowestCapWatts);
    }
}
