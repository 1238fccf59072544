// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Images of handwritten digits, and which digits they are. */
public final class Digits {
    /** Pixels of an image, 8 by 8. */
    public static final int PIXELS = 64;

    /** One in so many is held out. */
    private static final int FIFTH = 5;

    private final float[][] images;
    private final int[] labels;

    /**
     * @param images of {@link #PIXELS} each, 0 (white) to 1
     * @param labels 0 to 9
     */
    Digits(float[][] images, int[] labels) {
        this.images = images;
        this.labels = labels;
    }

    /**
     * @param training what models learn from
     * @param heldOut what they never saw: queries are made of it
     */
    public record Split(Digits training, Digits heldOut) {}

    public int count() {
        return labels.length;
    }

    int label(int index) {
        return labels[index];
    }

    float[] image(int index) {
        return images[index].clone();
    }

    float[][] images() {
        return Arrays.stream(images).map(float[]::clone).toArray(float[][]::new);
    }

    int[] labels() {
        return labels.clone();
    }

    /** A fifth, drawn at random, is held out. */
    public Split split(long seed) {
        int[] order = IntStream.range(0, count()).toArray();
        Random random = new Random(seed);
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        int heldOut = order.length / FIFTH;
        return new Split(
                pick(Arrays.copyOfRange(order, heldOut, order.length)), pick(Arrays.copyOfRange(order, 0, heldOut)));
    }

    private Digits pick(int[] which) {
        return new Digits(
                Arrays.stream(which).mapToObj(i -> images[i]).toArray(float[][]::new),
                Arrays.stream(which).map(i -> labels[i]).toArray());
    }
}
