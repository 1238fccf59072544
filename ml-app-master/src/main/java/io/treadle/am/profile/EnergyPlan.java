// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.EnergyPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which caps and batches are to be measured at the GPUs that a job has. */
final class EnergyPlan {
    /** Below this part of the default limit energy rises again. */
    private static final double LEAST_CAP = 0.4;

    private static final double MIDDLE_CAP = 0.6;
    private static final int CAPS = 3;

    private EnergyPlan() {}

    /**
     * What is not known of this number of GPUs. Where another is known, this one is measured as the scheduler gives it: a job
     * that is measured holds on to GPUs and watts that others could use.
     *
     * @param mostGpus that the job may have
     * @param tooLarge samples of a worker's pass from which on others than its own do not fit
     */
    static EnergySteps of(EnergyObservation now, EnergyPoints points, int mostGpus, long tooLarge) {
        if (points.areKnownBeside(now.gpus(), CAPS)) {
            return EnergySteps.none();
        }
        return EnergySteps.of(
                caps(now.leastCapWatts(), now.defaultCapWatts()), otherBatches(now, mostGpus, tooLarge), step -> {
                    long batch = step.batchSize() == 0 ? now.batch() : step.batchSize() * now.workers();
                    double[] known = points.capsAt(now.gpus(), batch);
                    return known.length >= CAPS
                            || Arrays.stream(known).anyMatch(cap -> EnergyPoint.areAlike(cap, step.capWatts()));
                });
    }

    /**
     * Of a worker alone on a GPU: what it does with its batch is what a GPU does. Several would change theirs a moment apart,
     * and wait in exchanges of which the others make fewer.
     */
    private static List<Long> otherBatches(EnergyObservation now, int mostGpus, long tooLarge) {
        if (now.passes() == 0 || now.batch() == 0 || now.gpus() != 1 || now.workers() != 1) {
            return List.of();
        }
        long own = (now.batch() + now.workers() - 1) / now.workers();
        return LocalBatches.of(own, now.batch() * now.passes(), now.gpus(), mostGpus).stream()
                .filter(size -> size < tooLarge)
                .toList();
    }

    /** From none down: nodes lower limits at once, and let rises wait. */
    private static List<Double> caps(double leastWatts, double defaultWatts) {
        List<Double> caps = new ArrayList<>();
        for (double part : new double[] {1, MIDDLE_CAP, LEAST_CAP}) {
            double cap = Math.min(defaultWatts, Math.max(leastWatts, Math.ceil(part * defaultWatts)));
            if (caps.isEmpty() || !EnergyPoint.areAlike(caps.get(caps.size() - 1), cap)) {
                caps.add(cap);
            }
        }
        return caps;
    }
}
