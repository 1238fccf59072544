// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.model.energy.GpuCurves;
import io.treadle.core.model.energy.GpuSample;
import io.treadle.core.model.energy.IterationTime;
import io.treadle.core.model.energy.ScaleSample;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.ModelZoo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * What is known of a job that was measured for a moment before it ran: one GPU with four batch sizes under three caps, then
 * two GPUs, a node and two nodes; all else is foretold. Each measurement is off by a random factor.
 */
final class MeasuredProfile {
    private static final int GPUS_OF_NODE = 8;
    /** By which time falls as the cap rises, where measurements are too few to tell: that
     * of other cards, not the truth. */
    private static final double USUAL_EXPONENT = 3;
    /** The lowest measured cap, and the middle one, as parts of the default limit. */
    private static final double[] CAPS = {0.4, 0.6, 1};

    private MeasuredProfile() {}

    /**
     * @param truth what it is
     * @param noise standard deviation of the logarithm of each time and draw
     */
    static EnergyProfile of(
            String model, long batch, EnergyProfile truth, ClusterPower power, double noise, Random random) {
        int most = truth.gpus(truth.sizes() - 1);
        int last = truth.caps() - 1;
        List<GpuSample> samples = new ArrayList<>();
        LongStream.of(batch, batch / 4, batch / 16, batch / most)
                .map(size -> Math.max(1, size))
                .distinct()
                .forEach(size -> {
                    for (double cap : CAPS) {
                        GpuSample exact = ModelZoo.sample(model, size, cap * power.gpuWatts(), power);
                        samples.add(new GpuSample(
                                size,
                                exact.capWatts(),
                                exact.seconds() * off(noise, random),
                                exact.drawWatts() * off(noise, random)));
                    }
                });
        List<ScaleSample> scales = new ArrayList<>();
        for (GpuSample sample : samples) {
            if (sample.capWatts() == power.gpuWatts()) {
                scales.add(new ScaleSample(1, sample.batch(), sample.seconds()));
            }
        }
        for (int gpus : new int[] {2, GPUS_OF_NODE, 2 * GPUS_OF_NODE}) {
            if (gpus <= most) {
                double seconds = truth.seconds(truth.sizeOf(gpus), last) * off(noise, random);
                scales.add(new ScaleSample(gpus, (double) batch / gpus, seconds));
            }
        }
        int[] sizes = new int[truth.sizes()];
        double[] caps = new double[truth.caps()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = truth.gpus(i);
        }
        for (int k = 0; k < caps.length; k++) {
            caps[k] = truth.capWatts(k);
        }
        return EnergyProfile.of(
                sizes,
                caps,
                batch,
                GpuCurves.fit(samples, USUAL_EXPONENT),
                IterationTime.fit(scales, GPUS_OF_NODE),
                power.idleGpuWatts(),
                Confidence.MEDIUM);
    }

    private static double off(double noise, Random random) {
        return Math.exp(noise * random.nextGaussian());
    }
}
