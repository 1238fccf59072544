// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import io.treadle.core.wire.EnergyPoint;
import java.util.Comparator;
import java.util.List;

/**
 * How many samples a job's step has on so many GPUs, and in which passes they take them.
 *
 * @param reference samples of a step on the largest number of GPUs that was measured
 * @param ofGpu of each GPU where it keeps its batch; 0 where all share the reference
 * @param mostShare samples that a GPU takes in a pass at most; infinite where each step was one pass
 */
record Batches(double reference, double ofGpu, double mostShare) {
    /** A job's own batch is the largest of a number of GPUs: others that are tried are smaller. */
    static final Comparator<EnergyPoint> OWN =
            Comparator.comparingInt(EnergyPoint::gpus).thenComparingLong(EnergyPoint::batch);

    /** @param points of known batch; at least one */
    static Batches of(List<EnergyPoint> points) {
        EnergyPoint largest = points.stream().max(OWN).orElseThrow();
        List<EnergyPoint> own = points.stream()
                .filter(p -> points.stream().noneMatch(o -> o.gpus() == p.gpus() && o.batch() > p.batch()))
                .toList();
        double ofGpu = step(largest) / largest.gpus();
        boolean keeps = own.stream().mapToDouble(Batches::step).distinct().count() > 1
                && own.stream().allMatch(p -> Math.round(step(p)) == Math.round(ofGpu * p.gpus()));
        EnergyPoint fullest = points.stream()
                .max(Comparator.comparingDouble(EnergyFit::share))
                .orElseThrow();
        return new Batches(
                step(largest),
                keeps ? ofGpu : 0,
                fullest.passes() > 1 ? EnergyFit.share(fullest) : Double.POSITIVE_INFINITY);
    }

    private static double step(EnergyPoint point) {
        return (double) point.batch() * point.passes();
    }

    /** Samples of a step on so many GPUs. */
    double of(int gpus) {
        return ofGpu > 0 ? ofGpu * gpus : reference;
    }

    /** Samples of each GPU's pass. */
    double shareOf(int gpus) {
        return Math.min(mostShare, of(gpus) / gpus);
    }

    /** Passes of a step; may be a fraction, on average. */
    double passesOf(int gpus) {
        return of(gpus) / gpus / shareOf(gpus);
    }
}
