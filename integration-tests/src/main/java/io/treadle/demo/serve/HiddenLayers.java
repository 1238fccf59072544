// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.query.onnx.OnnxFile;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Two layers of fixed random weights with ReLU, a wide one and one of features: what comes before the trained read-out of an
 * extreme learning machine (Huang, Zhu and Siew, Neurocomputing 70, 2006).
 */
final class HiddenLayers {
    /** Rows that share a look at the weights, which are larger than a core's cache. */
    private static final int ROWS = 32;

    private static final int COLUMNS = 256;

    private static final double WIDE_BIAS = 0.5;
    private static final double FEATURE_BIAS = 0.3;

    private final int inputs;
    private final int wide;
    private final int features;
    private final float[] wideWeights;
    private final float[] wideBias;
    private final float[] featureWeights;
    private final float[] featureBias;

    /** @param wide width of the first layer, which has the most weights by far */
    HiddenLayers(int inputs, int wide, int features, long seed) {
        this.inputs = inputs;
        this.wide = wide;
        this.features = features;
        SplittableRandom random = new SplittableRandom(seed);
        // He, Zhang, Ren and Sun (ICCV 2015): with these spreads ReLU keeps the size of what passes through.
        wideWeights = draw(random, inputs * wide, Math.sqrt(2.0 / inputs));
        wideBias = draw(random, wide, WIDE_BIAS);
        featureWeights = draw(random, wide * features, Math.sqrt(2.0 / wide));
        featureBias = draw(random, features, FEATURE_BIAS);
    }

    /** Even between two bounds, of the given standard deviation. */
    private static float[] draw(SplittableRandom random, int count, double deviation) {
        double bound = Math.sqrt(3) * deviation;
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (bound * (2 * random.nextDouble() - 1));
        }
        return values;
    }

    int features() {
        return features;
    }

    /** Each row by itself, in one order of sums whatever the number of threads. */
    float[][] of(float[][] rows) {
        float[][] out = new float[rows.length][];
        IntStream.range(0, (rows.length + ROWS - 1) / ROWS)
                .parallel()
                .forEach(block -> block(rows, out, block * ROWS, Math.min(rows.length, (block + 1) * ROWS)));
        return out;
    }

    private void block(float[][] rows, float[][] out, int from, int to) {
        float[] part = new float[COLUMNS];
        WeightedSum sum = new WeightedSum(Math.max(COLUMNS, inputs));
        for (int row = from; row < to; row++) {
            out[row] = featureBias.clone();
        }
        for (int at = 0; at < wide; at += COLUMNS) {
            int width = Math.min(COLUMNS, wide - at);
            for (int row = from; row < to; row++) {
                System.arraycopy(wideBias, at, part, 0, width);
                for (int input = 0; input < inputs; input++) {
                    sum.take(rows[row][input], input * wide + at);
                }
                sum.addTo(part, wideWeights, width);
                for (int column = 0; column < width; column++) {
                    sum.take(Math.max(0, part[column]), (at + column) * features);
                }
                sum.addTo(out[row], featureWeights, features);
            }
        }
        for (int row = from; row < to; row++) {
            for (int feature = 0; feature < features; feature++) {
                out[row][feature] = Math.max(0, out[row][feature]);
            }
        }
    }

    /** From {@code x} to {@code features}. */
    void write(OnnxFile file) {
        file.input("x", -1, inputs)
                .constant("w1", wideWeights, inputs, wide)
                .constant("b1", wideBias, wide)
                .constant("w2", featureWeights, wide, features)
                .constant("b2", featureBias, features);
        layer(file, "x", "w1", "b1", "wide");
        layer(file, "wide", "w2", "b2", "features");
    }

    private static void layer(OnnxFile file, String from, String weights, String bias, String to) {
        file.node("MatMul", List.of(from, weights), to + "_product")
                .node("Add", List.of(to + "_product", bias), to + "_sum")
                .node("Relu", List.of(to + "_sum"), to);
    }
}
