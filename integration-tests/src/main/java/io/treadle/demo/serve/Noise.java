// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.Random;

/** Grey noise, which the model {@code denoise} has learnt to take away. */
final class Noise {
    private static final double SPREAD = 0.2;

    private Noise() {}

    static float[] on(float[] image, long seed) {
        Random random = new Random(seed);
        float[] noisy = new float[image.length];
        for (int pixel = 0; pixel < image.length; pixel++) {
            noisy[pixel] = (float) (image[pixel] + SPREAD * random.nextGaussian());
        }
        return noisy;
    }
}
