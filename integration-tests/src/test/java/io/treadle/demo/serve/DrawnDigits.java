// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.Random;

/** Ten patterns instead of handwriting: easy to tell apart, and there on any machine. */
final class DrawnDigits {
    private static final int DIGITS = 10;

    private DrawnDigits() {}

    static Digits of(int count, long seed) {
        Random random = new Random(seed);
        float[][] images = new float[count][Digits.PIXELS];
        int[] labels = new int[count];
        for (int i = 0; i < count; i++) {
            labels[i] = i % DIGITS;
            Random pattern = new Random(labels[i]);
            for (int pixel = 0; pixel < Digits.PIXELS; pixel++) {
                images[i][pixel] = pattern.nextBoolean() ? 0.7f + 0.3f * random.nextFloat() : 0;
            }
        }
        return new Digits(images, labels);
    }
}
