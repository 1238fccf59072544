// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.model.SensitivityMatrix;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The model zoo of Synergy's artifact (msr-fiddle/synergy 1bb2bed, {@code simulator/models}): seconds per iteration at
 * the fair share of 3 CPUs and 62.5 GB per GPU, and throughput per GPU, 1.0 at that share.
 */
public final class SynergyModels {
    private static final long[] CPUS = {1, 2, 3, 4, 5, 6, 9, 12, 24};
    /** The artifact's lowest point is a third of the share; its language models demand {@code int(62.5 / 3)} GB. */
    private static final long[] MEMORY_MIB = {gb(20), gb(62.5), gb(125), gb(187.5), gb(250)};

    private static final double[] RES18 = {.37, .72, 1, 1.3, 1.53, 1.75, 2.4, 2.4, 2.4};
    private static final double[] MOBILENET = {.37, .72, 1, 1.3, 1.49, 1.55, 1.55, 1.55, 1.55};
    private static final double[] DEEPSPEECH = {.3, .66, 1, 1, 1, 1, 1, 1, 1};

    private static final double[] RES50 = {.4, .74, 1, 1.15, 1.15, 1.15, 1.15, 1.15, 1.15};

    /**
     * @param secondsPerIteration at the fair share
     * @param speed over CPU and memory of one GPU
     */
    record Model(double secondsPerIteration, SensitivityMatrix speed) {}

    private static final Map<String, Model> ALL = new TreeMap<>(Map.of(
            "alexnet", new Model(.6, cached(2.94, 2)),
            "shufflenet", new Model(.615, cached(2.89, 2)),
            "res18", new Model(.64, flatInMemory(RES18)),
            "res50", new Model(.78, flatInMemory(RES50)),
            "mobilenet", new Model(.71, flatInMemory(MOBILENET)),
            "deepspeech", new Model(.757, flatInMemory(DEEPSPEECH)),
            "m5", new Model(.6, m5()),
            "gnmt", new Model(.12, language()),
            "transformer", new Model(.67, language()),
            "lstm", new Model(.011, language())));

    private SynergyModels() {}

    static Optional<Model> find(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    /**
     * Seconds per iteration at the fair share.
     *
     * @throws IllegalArgumentException if there is no such model
     */
    public static double secondsPerIteration(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("no model '" + name + "'"))
                .secondsPerIteration();
    }

    static String names() {
        return String.join(", ", ALL.keySet());
    }

    static long gb(double gigabytes) {
        return Math.round(gigabytes * 1024);
    }

    private static SensitivityMatrix flatInMemory(double[] overCpus) {
        double[][] w = new double[CPUS.length][MEMORY_MIB.length];
        for (int c = 0; c < CPUS.length; c++) {
            Arrays.fill(w[c], overCpus[c]);
            w[c][0] = .1;
        }
        return new SensitivityMatrix(CPUS, MEMORY_MIB, w);
    }

    private static SensitivityMatrix cached(double top, double topWithLittleMemory) {
        double[] rows = {.3, .66, 1, 1.25, 1.53, 1.75, 2, top, top};
        double[][] w = new double[CPUS.length][MEMORY_MIB.length];
        for (int c = 0; c < CPUS.length; c++) {
            Arrays.fill(w[c], rows[c]);
            w[c][0] = .1;
            w[c][1] = Math.min(rows[c], topWithLittleMemory);
        }
        return new SensitivityMatrix(CPUS, MEMORY_MIB, w);
    }

    private static SensitivityMatrix m5() {
        double[] rows = {.3, .66, 1, 1.2, 1.4};
        double[] top = {.1, 1.5, 2, 2.5, 2.5};
        double[][] w = new double[CPUS.length][MEMORY_MIB.length];
        for (int c = 0; c < CPUS.length; c++) {
            if (c < rows.length) {
                Arrays.fill(w[c], rows[c]);
                w[c][0] = .1;
            } else {
                w[c] = top.clone();
            }
        }
        return new SensitivityMatrix(CPUS, MEMORY_MIB, w);
    }

    private static SensitivityMatrix language() {
        double[][] w = new double[CPUS.length][MEMORY_MIB.length];
        for (double[] row : w) {
            Arrays.fill(row, 1);
        }
        return new SensitivityMatrix(CPUS, MEMORY_MIB, w);
    }
}
