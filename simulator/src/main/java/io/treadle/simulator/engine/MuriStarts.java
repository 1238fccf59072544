// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** How long jobs take to start, s, as measured for Muri (Rivendile/Muri 7264b1a, {@code simulator/run_sim.py}). */
final class MuriStarts {
    /** Of a model that was not measured. */
    private static final double OTHERS = 10;

    private static final TreeMap<Long, Map<String, Double>> BY_GPUS = new TreeMap<>(Map.of(
            1L, models(7, 7, 4, 4, 10, 10, 38, 5),
            2L, models(7, 7, 5, 4, 10, 10, 39, 5),
            4L, models(8, 8, 5, 5, 10, 10, 39, 6),
            8L, models(9, 9, 7, 5, 10, 10, 46, 6),
            16L, models(9, 10, 7, 7, 10, 10, 46, 8),
            32L, models(10, 10, 7, 8, 10, 10, 46, 8)));

    private MuriStarts() {}

    /** Of a job on so many GPUs, or on the next fewer that were measured. */
    static double seconds(String model, long gpus) {
        return Objects.requireNonNull(BY_GPUS.floorEntry(Math.max(1, gpus)))
                .getValue()
                .getOrDefault(model, OTHERS);
    }

    private static Map<String, Double> models(
            double vgg16,
            double vgg19,
            double resnet18,
            double shufflenet,
            double bert,
            double gpt2,
            double a2c,
            double dqn) {
        return Map.of(
                "vgg16", vgg16,
                "vgg19", vgg19,
                "resnet18", resnet18,
                "shufflenet_v2_x1_0", shufflenet,
                "bert", bert,
                "gpt2", gpt2,
                "a2c", a2c,
                "dqn", dqn);
    }
}
