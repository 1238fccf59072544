// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.query.onnx.OnnxFile;
import java.util.List;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/** A linear layer that fits targets best, by ridge regression on standardised features. */
final class ReadOut {
    private static final double LEAST_DEVIATION = 1e-3;

    private final float[][] weights;
    private final float[] bias;

    private ReadOut(float[][] weights, float[] bias) {
        this.weights = weights;
        this.bias = bias;
    }

    /** @param penalty of large weights */
    static ReadOut fit(float[][] features, float[][] targets, double penalty) {
        double[] mean = means(features);
        double[] scale = scales(features, mean);
        double[] targetMean = means(targets);
        double[][] gram = new double[mean.length][mean.length];
        double[][] moments = new double[mean.length][targetMean.length];
        double[] row = new double[mean.length];
        for (int sample = 0; sample < features.length; sample++) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (features[sample][i] - mean[i]) * scale[i];
            }
            for (int i = 0; i < row.length; i++) {
                for (int j = 0; j <= i; j++) {
                    gram[i][j] += row[i] * row[j];
                }
                for (int j = 0; j < targetMean.length; j++) {
                    moments[i][j] += row[i] * (targets[sample][j] - targetMean[j]);
                }
            }
        }
        for (int i = 0; i < row.length; i++) {
            gram[i][i] += penalty;
            for (int j = 0; j < i; j++) {
                gram[j][i] = gram[i][j];
            }
        }
        RealMatrix solved = new CholeskyDecomposition(new Array2DRowRealMatrix(gram, false))
                .getSolver()
                .solve(new Array2DRowRealMatrix(moments, false));
        return folded(solved, mean, scale, targetMean);
    }

    /** So that it takes features as they are. */
    private static ReadOut folded(RealMatrix solved, double[] mean, double[] scale, double[] targetMean) {
        float[][] weights = new float[mean.length][targetMean.length];
        float[] bias = new float[targetMean.length];
        for (int j = 0; j < bias.length; j++) {
            double constant = targetMean[j];
            for (int i = 0; i < mean.length; i++) {
                double weight = solved.getEntry(i, j) * scale[i];
                weights[i][j] = (float) weight;
                constant -= weight * mean[i];
            }
            bias[j] = (float) constant;
        }
        return new ReadOut(weights, bias);
    }

    private static double[] means(float[][] rows) {
        double[] means = new double[rows[0].length];
        for (float[] row : rows) {
            for (int i = 0; i < means.length; i++) {
                means[i] += row[i] / (double) rows.length;
            }
        }
        return means;
    }

    private static double[] scales(float[][] rows, double[] means) {
        double[] scales = new double[means.length];
        for (int i = 0; i < means.length; i++) {
            double squares = 0;
            for (float[] row : rows) {
                squares += (row[i] - means[i]) * (row[i] - means[i]);
            }
            scales[i] = 1 / (LEAST_DEVIATION + Math.sqrt(squares / rows.length));
        }
        return scales;
    }

    float[][] of(float[][] features) {
        float[][] out = new float[features.length][];
        for (int row = 0; row < features.length; row++) {
            out[row] = bias.clone();
            for (int i = 0; i < weights.length; i++) {
                for (int j = 0; j < bias.length; j++) {
                    out[row][j] += features[row][i] * weights[i][j];
                }
            }
        }
        return out;
    }

    /** From {@code features} to {@code output}. */
    void write(OnnxFile file, String output) {
        float[] flat = new float[weights.length * bias.length];
        for (int i = 0; i < weights.length; i++) {
            System.arraycopy(weights[i], 0, flat, i * bias.length, bias.length);
        }
        file.constant("w3", flat, weights.length, bias.length)
                .constant("b3", bias, bias.length)
                .node("MatMul", List.of("features", "w3"), "product")
                .node("Add", List.of("product", "b3"), output)
                .output(output, -1, bias.length);
    }
}
