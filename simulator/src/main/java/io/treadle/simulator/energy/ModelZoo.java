// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import io.treadle.core.model.energy.CapDraw;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.model.energy.GpuSample;
import io.treadle.core.model.energy.IterationTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Training jobs whose speed and draw are known. Times over GPUs and batch sizes are fits to the A100 tables of ElasticFlow's
 * artifact (pkusys/ElasticFlow 04a0109, 2 % off on average). What caps cost was measured on V100s by Zeus
 * (SymbioticLab/Zeus, its traces) for {@code resnet50}, {@code bert} and {@code deepspeech2} and is carried over to the
 * A100, and to GPUs of other limits, in proportion to the limits; the other models are assumed to be like the one of these
 * that is most like them.
 */
public final class ModelZoo {
    /** GPUs of a node in ElasticFlow's cluster. */
    private static final int GPUS_OF_NODE = 8;
    /** Default limit of the GPUs whose times the tables are, and for which uncapped draws are told, W. */
    private static final double LIMIT_WATTS = 400;
    /** By which a GPU's time falls as the cap rises; for an A100 nobody has published it. */
    private static final double EXPONENT = 3.5;

    /**
     * A model.
     *
     * @param times of its iterations at the default limit
     * @param sensitivity part of a gradient's time at the default limit that goes with the cap
     * @param uncappedWatts what a GPU would draw without a cap, W
     * @param batches batch sizes of the tables, on all GPUs together
     */
    private record Model(IterationTime times, double sensitivity, double uncappedWatts, List<Long> batches) {}

    private static final Map<String, Model> ALL = new TreeMap<>(Map.of(
            "bert", bert(5.5631e-2, 1.7319e-3, 5.7281e-3, 9.4909e-3, 64L, 128L),
            "gpt2", bert(2.4770e-2, 8.6797e-4, 3.9427e-3, 6.8437e-3, 128L, 256L),
            "deepspeech2", new Model(times(3.1655e-2, 9.2544e-3, 0, 1.0111e-2, 0), 0.0272, 271.9, List.of(32L, 64L)),
            "resnet50", resnet(1.0786e-2, 2.0832e-3, 0, 6.2236e-3, 5.1458e-3, 64L, 128L, 256L),
            "inception3", resnet(2.4896e-2, 2.8015e-3, 0, 8.4058e-3, 8.3058e-3, 64L, 128L),
            "vgg16", resnet(0, 3.0704e-3, 3.9716e-3, 6.2771e-3, 2.1176e-3, 64L, 128L, 256L),
            "resnet50_cifar10",
                    new Model(
                            times(2.9446e-2, 7.8737e-5, 9.4631e-4, 1.6582e-3, 0),
                            0.02,
                            300,
                            List.of(64L, 128L, 256L))));

    private ModelZoo() {}

    private static Model bert(double start, double sample, double step, double crossing, Long... batches) {
        return new Model(times(start, sample, 0, step, crossing), 0.0761, 609.4, List.of(batches));
    }

    private static Model resnet(
            double start, double sample, double ring, double step, double crossing, Long... batches) {
        return new Model(times(start, sample, ring, step, crossing), 0.064, 517.3, List.of(batches));
    }

    private static IterationTime times(double start, double sample, double ring, double step, double crossing) {
        return new IterationTime(start, sample, ring, step, crossing, GPUS_OF_NODE);
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * Batch sizes of which times are known.
     *
     * @throws IllegalArgumentException if there is no such model
     */
    public static List<Long> batches(String model) {
        return find(model)
                .orElseThrow(() -> new IllegalArgumentException("no model '" + model + "'"))
                .batches();
    }

    private static Optional<Model> find(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    /**
     * Time and draw of the model's iterations on powers of two of GPUs; empty where there is no such model.
     *
     * @param batch samples of an iteration on all GPUs together
     * @param mostGpus none beyond these
     * @param power the GPUs' caps, and what they draw idle
     */
    public static Optional<EnergyProfile> profile(String model, long batch, long mostGpus, ClusterPower power) {
        return find(model).map(known -> {
            int[] gpus = IntStream.iterate(1, n -> n <= Math.min(mostGpus, batch), n -> 2 * n)
                    .toArray();
            return new EnergyProfile(
                    gpus,
                    power.caps(),
                    (n, cap) -> gradient(known, batch, n, cap / power.gpuWatts())
                            + known.times().exchangeSeconds(n),
                    (n, cap) -> n
                            * EnergyProfile.draw(
                                    CapDraw.softMinimum(cap, known.uncappedWatts() * power.gpuWatts() / LIMIT_WATTS),
                                    gradient(known, batch, n, cap / power.gpuWatts()),
                                    known.times().exchangeSeconds(n),
                                    power.idleGpuWatts()),
                    Confidence.HIGH);
        });
    }

    /**
     * What one GPU does in iterations of so many samples under a cap.
     *
     * @throws IllegalArgumentException if there is no such model
     */
    public static GpuSample sample(String model, long batch, double capWatts, ClusterPower power) {
        Model known = find(model).orElseThrow(() -> new IllegalArgumentException("no model '" + model + "'"));
        return new GpuSample(
                batch,
                capWatts,
                gradient(known, batch, 1, capWatts / power.gpuWatts()),
                CapDraw.softMinimum(capWatts, known.uncappedWatts() * power.gpuWatts() / LIMIT_WATTS));
    }

    /**
     * Time of the gradients of a GPU's part of the batch under a cap, s.
     *
     * @param cap as a part of the GPU's default limit
     */
    private static double gradient(Model model, long batch, int gpus, double cap) {
        double slowed = 1 - model.sensitivity() + model.sensitivity() * Math.pow(cap, -EXPONENT);
        return model.times().gradientSeconds((double) batch / gpus) * slowed;
    }
}
