// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;

/**
 * What generated jobs read. No cluster has published that: sizes lie between the smallest and the largest dataset that the
 * profiler of Synergy's artifact knows (wikitext and OpenImages), rates between an eighth and eight times the storage
 * bandwidth that its servers have for a GPU, each alike on a logarithmic scale.
 */
final class Datasets {
    private static final double LEAST_MB = 1_300;
    private static final double MOST_MB = 555_000;
    private static final double MBPS_FOR_A_GPU = 62.5;
    private static final double SPREAD = 8;
    private static final double MIB_PER_MB = 1e6 / (1 << 20);
    private static final MathContext DIGITS = new MathContext(6);

    private final SplittableRandom random;
    private final double part;

    /** @param percent of the jobs that read */
    Datasets(double percent, long seed) {
        // Not the stream of the jobs: with the same seed they are the same whether they read or not.
        this.random = new SplittableRandom(~seed);
        this.part = percent / 100;
    }

    /** The columns {@code dataset_mib,epochs} of the next job; both empty where it reads nothing. */
    String next(int gpus, int seconds) {
        double drawn = random.nextDouble();
        double megabytes = LEAST_MB * Math.pow(MOST_MB / LEAST_MB, random.nextDouble());
        double rate = MBPS_FOR_A_GPU * Math.pow(SPREAD, 2 * random.nextDouble() - 1);
        return drawn >= part ? "," : text(megabytes * MIB_PER_MB) + "," + text(rate * gpus * seconds / megabytes);
    }

    private static String text(double value) {
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
