// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What read-outs are to say. */
final class Targets {
    private static final int DIGITS = 10;

    private Targets() {}

    /** A column for each class: 1 for that of the label, else -1. */
    static float[][] classes(int[] labels, int modulus) {
        return Arrays.stream(labels)
                .mapToObj(label -> {
                    float[] row = new float[modulus];
                    Arrays.fill(row, -1);
                    row[label % modulus] = 1;
                    return row;
                })
                .toArray(float[][]::new);
    }

    /** Which digit it is, and the image itself: what whoever has only the embedding may want to know. */
    static float[][] embedding(Digits digits) {
        float[][] classes = classes(digits.labels(), DIGITS);
        return IntStream.range(0, digits.count())
                .mapToObj(i -> {
                    float[] row = Arrays.copyOf(classes[i], DIGITS + Digits.PIXELS);
                    System.arraycopy(digits.image(i), 0, row, DIGITS, Digits.PIXELS);
                    return row;
                })
                .toArray(float[][]::new);
    }

    /** How much of the image is ink, 0 to 1. */
    static float[][] ink(Digits digits) {
        return Arrays.stream(digits.images())
                .map(image -> {
                    double sum = 0;
                    for (float pixel : image) {
                        sum += pixel;
                    }
                    return new float[] {(float) (sum / image.length)};
                })
                .toArray(float[][]::new);
    }

    static float[][] twice(float[][] rows) {
        float[][] both = Arrays.copyOf(rows, 2 * rows.length);
        System.arraycopy(rows, 0, both, rows.length, rows.length);
        return both;
    }
}
