// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.SplittableRandom;

/** Shares a number of things out, each part within one of its due; what is less than one is left to chance. */
final class Systematic {
    private Systematic() {}

    /**
     * @param shares add up to 1
     * @return as many as shares, adding up to {@code count}
     */
    static int[] split(int count, double[] shares, SplittableRandom random) {
        double start = random.nextDouble();
        int[] parts = new int[shares.length];
        double due = 0;
        int given = 0;
        for (int i = 0; i < shares.length; i++) {
            due += shares[i] * count;
            int now = i == shares.length - 1 ? count : Math.min(count, (int) Math.floor(due + start));
            parts[i] = now - given;
            given = now;
        }
        return parts;
    }
}
