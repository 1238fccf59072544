// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {
    private static final double RIDGE = 1e-3;

    @Test
    void whatIsNegativeWithoutTheBoundIsZero() {
        // Without the bound: 2 and -1.
        double[] found = NonNegativeLeastSquares.solve(new double[][] {{1, 0}, {0, 1}}, new double[] {2, -1}, 1e-9);
        assertArrayEquals(new double[] {2, 0}, found, 1e-9);
    }

    /** Of every choice of unknowns that are 0, solved by the normal equations, the best without a negative one. */
    @Test
    void asGoodAsTheBestOfAllActiveSets() {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            int unknowns = 1 + random.nextInt(6);
            int rows = 1 + random.nextInt(12);
            double[][] a = new double[rows][unknowns];
            double[] b = new double[rows];
            for (int i = 0; i < rows; i++) {
                b[i] = random.nextGaussian();
                for (int j = 0; j < unknowns; j++) {
                    // Some columns alike, some empty: what rows cannot tell apart must do no harm.
                    a[i][j] = j > 0 && seed % 3 == 0 ? a[i][j - 1] : random.nextInt(4) == 0 ? 0 : random.nextGaussian();
                }
            }
            double[] found = NonNegativeLeastSquares.solve(a, b, RIDGE);
            for (double x : found) {
                assertTrue(x >= 0, "seed " + seed);
            }
            double best = Double.POSITIVE_INFINITY;
            for (int set = 0; set < 1 << unknowns; set++) {
                best = Math.min(best, costOver(set, a, b));
            }
            assertEquals(best, cost(a, b, found), 1e-6 * Math.max(1, best), "seed " + seed);
        }
    }

    private static double costOver(int set, double[][] a, double[] b) {
        int unknowns = a[0].length;
        RealMatrix normal = new Array2DRowRealMatrix(unknowns, unknowns);
        RealVector right = new ArrayRealVector(unknowns);
        for (int j = 0; j < unknowns; j++) {
            if ((set >> j & 1) == 0) {
                normal.setEntry(j, j, 1);
                continue;
            }
            for (int k = 0; k < unknowns; k++) {
                if ((set >> k & 1) == 1) {
                    double sum = j == k ? RIDGE * RIDGE : 0;
                    for (double[] row : a) {
                        sum += row[j] * row[k];
                    }
                    normal.setEntry(j, k, sum);
                }
            }
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i][j] * b[i];
            }
            right.setEntry(j, sum);
        }
        double[] x = new LUDecomposition(normal, 0).getSolver().solve(right).toArray();
        for (double value : x) {
            if (value < 0) {
                return Double.POSITIVE_INFINITY;
            }
        }
        return cost(a, b, x);
    }

    private static double cost(double[][] a, double[] b, double[] x) {
        double cost = 0;
        for (int i = 0; i < a.length; i++) {
            double rest = -b[i];
            for (int j = 0; j < x.length; j++) {
                rest += a[i][j] * x[j];
            }
            cost += rest * rest;
        }
        for (double value : x) {
            cost += RIDGE * RIDGE * value * value;
        }
        return cost;
    }

    @Test
    void whatIsNoProblemIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> NonNegativeLeastSquares.solve(new double[0][0], new double[0], RIDGE));
        assertThrows(
                IllegalArgumentException.class,
                () -> NonNegativeLeastSquares.solve(new double[][] {{1}}, new double[] {1, 2}, RIDGE));
        assertThrows(
                IllegalArgumentException.class,
                () -> NonNegativeLeastSquares.solve(new double[][] {{Double.NaN}}, new double[] {1}, RIDGE));
        assertThrows(
                IllegalArgumentException.class,
                () -> NonNegativeLeastSquares.solve(new double[][] {{1}}, new double[] {1}, 0));
    }
}
