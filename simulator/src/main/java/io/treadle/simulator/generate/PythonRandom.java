// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import org.apache.commons.math3.random.MersenneTwister;

/** Draws the numbers that Python's {@code random.Random(seed)} draws, for seeds below 2^31. */
final class PythonRandom {
    private static final double TWO_TO_26 = 67_108_864.0;
    private static final double TWO_TO_53 = 9_007_199_254_740_992.0;

    private final MersenneTwister twister;

    PythonRandom(int seed) {
        // The array form: Python seeds by the key, MersenneTwister(int) does not.
        this.twister = new MersenneTwister(new int[] {seed});
    }

    /** {@code random()}: from 0 to below 1, 53 bits. */
    double random() {
        int high = twister.nextInt() >>> 5;
        int low = twister.nextInt() >>> 6;
        return (high * TWO_TO_26 + low) / TWO_TO_53;
    }

    /** {@code uniform(low, high)}. */
    double uniform(double low, double high) {
        return low + (high - low) * random();
    }

    /** {@code randint(0, 9)}: four bits at a time until they are below ten. */
    int digit() {
        int bits = twister.nextInt() >>> 28;
        while (bits >= 10) {
            bits = twister.nextInt() >>> 28;
        }
        return bits;
    }
}
