// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

/** Adds rows of weights, each times a factor; nearly all of a training's time is spent here. */
final class WeightedSum {
    private final float[] factors;
    private final int[] offsets;
    private int count;

    /** @param most rows that may be taken before they are added */
    WeightedSum(int most) {
        factors = new float[most];
        offsets = new int[most];
    }

    /** @param offset of the row among the weights */
    void take(float factor, int offset) {
        // Half of all pixels are white, and ReLU makes half of the rest 0.
        if (factor != 0) {
            factors[count] = factor;
            offsets[count++] = offset;
        }
    }

    /** What was taken is forgotten then. */
    void addTo(float[] sums, float[] weights, int width) {
        int next = 0;
        // Four at a time: the sums are read and written a quarter as often.
        for (; next + 4 <= count; next += 4) {
            four(sums, weights, width, next);
        }
        for (; next < count; next++) {
            float factor = factors[next];
            int offset = offsets[next];
            for (int i = 0; i < width; i++) {
                sums[i] += factor * weights[offset + i];
            }
        }
        count = 0;
    }

    private void four(float[] sums, float[] weights, int width, int next) {
        float first = factors[next];
        float second = factors[next + 1];
        float third = factors[next + 2];
        float fourth = factors[next + 3];
        int a = offsets[next];
        int b = offsets[next + 1];
        int c = offsets[next + 2];
        int d = offsets[next + 3];
        for (int i = 0; i < width; i++) {
            sums[i] +=
                    first * weights[a + i] + second * weights[b + i] + third * weights[c + i] + fourth * weights[d + i];
        }
    }
}
