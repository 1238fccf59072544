// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.model.SensitivityMatrix;
import java.util.Map;

/** Throughput tables of the Synergy artifact's model zoo, per GPU, 1.0 at the fair share of 3 CPUs and 62.5 GB. */
final class SynergyModels {
    private static final long[] CPUS = {1, 2, 3, 4, 5, 6, 9, 12, 24};
    /** The artifact's lowest point is a third of the share; its language models demand {@code int(62.5 / 3)} GB. */
    private static final long[] MEMORY_MIB = {gb(20), gb(62.5), gb(125), gb(187.5), gb(250)};

    private static final double[] RES18 = {.37, .72, 1, 1.3, 1.53, 1.75, 2.4, 2.4, 2.4};
    private static final double[] MOBILENET = {.37, .72, 1, 1.3, 1.49, 1.55, 1.55, 1.55, 1.55};
    private static final double[] DEEPSPEECH = {.3, .66, 1, 1, 1, 1, 1, 1, 1};

    static final Map<String, SensitivityMatrix> ALL = Map.of(
            "alexnet", cached(2.94, 2),
            "shufflenet", cached(2.89, 2),
            "res18", flatInMemory(RES18),
            "mobilenet", flatInMemory(MOBILENET),
            "deepspeech", flatInMemory(DEEPSPEECH),
            "m5", m5(),
            "gnmt", language(),
            "transformer", language(),
            "lstm", language());

    private SynergyModels() {}

    static long gb(double gigabytes) {
        return Math.round(gigabytes * 1024);
    }

    private static SensitivityMatrix flatInMemory(double[] overCpus) {
        double[][] w = new double[CPUS.length][MEMORY_MIB.length];
        for (int c = 0; c < CPUS.length; c++) {
            java.util.Arrays.fill(w[c], overCpus[c]);
            w[c][0] = .1;
        }
        return new SensitivityMatrix(CPUS, MEMORY_MIB, w);
    }

    private static SensitivityMatrix cached(double top, double topWithLittleMemory) {
        double[] rows = {.3, .66, 1, 1.25, 1.53, 1.75, 2, top, top};
        double[][] w = new double[CPUS.length][MEMORY_MIB.length];
        for (int c = 0; c < CPUS.length; c++) {
            java.util.Arrays.fill(w[c], rows[c]);
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
                java.util.Arrays.fill(w[c], rows[c]);
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
            java.util.Arrays.fill(row, 1);
        }
        return new SensitivityMatrix(CPUS, MEMORY_MIB, w);
    }
}
