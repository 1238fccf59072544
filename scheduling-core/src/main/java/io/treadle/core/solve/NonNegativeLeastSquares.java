// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * Least squares where no unknown may be negative, by active sets (Lawson and Hanson, Solving Least Squares Problems, 1974,
 * chapter 23). For few unknowns: each step decomposes the whole matrix anew.
 */
public final class NonNegativeLeastSquares {
    private static final double EPSILON = 1e-12;
    /** Each unknown enters and leaves the set a few times at most; rounding could go on for ever. */
    private static final int MOST_STEPS_AN_UNKNOWN = 30;

    private final RealMatrix rows;
    private final RealVector targets;
    private final int unknowns;
    private final boolean[] free;
    private double[] solution;

    private NonNegativeLeastSquares(RealMatrix rows, RealVector targets) {
        this.rows = rows;
        this.targets = targets;
        this.unknowns = rows.getColumnDimension();
        this.free = new boolean[unknowns];
        this.solution = new double[unknowns];
    }

    /**
     * The non-negative x with the least squared length of {@code rows * x - targets}, plus that of {@code ridge * x}.
     *
     * @param rows one for each target, all as long
     * @param ridge above 0, so that there is one solution also where rows say too little
     * @throws IllegalArgumentException where there are no rows, or not one for each target, or a number that is not finite
     */
    public static double[] solve(double[][] rows, double[] targets, double ridge) {
        if (rows.length == 0 || rows.length != targets.length) {
            throw new IllegalArgumentException(rows.length + " rows for " + targets.length
                    + " targets; there must be one for each, and at least one");
        }
        if (!(ridge > 0)) {
            throw new IllegalArgumentException("ridge " + ridge + " is not above 0");
        }
        int unknowns = rows[0].length;
        double[][] all = Arrays.copyOf(rows, rows.length + unknowns);
        for (int i = 0; i < unknowns; i++) {
            all[rows.length + i] = new double[unknowns];
            all[rows.length + i][i] = ridge;
        }
        double[] allTargets = Arrays.copyOf(targets, all.length);
        if (!Arrays.stream(all).flatMapToDouble(Arrays::stream).allMatch(Double::isFinite)
                || !Arrays.stream(allTargets).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("all numbers must be finite");
        }
        return new NonNegativeLeastSquares(new Array2DRowRealMatrix(all), new ArrayRealVector(allTargets)).solve();
    }

    private double[] solve() {
        for (int step = 0; step < MOST_STEPS_AN_UNKNOWN * unknowns; step++) {
            int best = steepest();
            if (best < 0) {
                break;
            }
            free[best] = true;
            settle();
        }
        return solution;
    }

    /** Of the unknowns at 0 the one that helps most when it rises; negative where none helps. */
    private int steepest() {
        double[] gradient = rows.preMultiply(targets.subtract(rows.operate(new ArrayRealVector(solution))))
                .toArray();
        int best = -1;
        double most = EPSILON;
        for (int i = 0; i < unknowns; i++) {
            if (!free[i] && gradient[i] > most) {
                most = gradient[i];
                best = i;
            }
        }
        return best;
    }

    /** Goes towards the best of the free unknowns; those that reach 0 on the way are free no longer. */
    private void settle() {
        double[] wanted = unbounded();
        while (anyBelowZero(wanted)) {
            double share = 1;
            for (int i = 0; i < unknowns; i++) {
                if (free[i] && wanted[i] <= 0) {
                    double way = solution[i] - wanted[i];
                    share = Math.min(share, way > 0 ? solution[i] / way : 0);
                }
            }
            for (int i = 0; i < unknowns; i++) {
                solution[i] += share * (wanted[i] - solution[i]);
                if (free[i] && solution[i] <= EPSILON) {
                    solution[i] = 0;
                    free[i] = false;
                }
            }
            wanted = unbounded();
        }
        solution = wanted;
    }

    private boolean anyBelowZero(double[] wanted) {
        for (int i = 0; i < unknowns; i++) {
            if (free[i] && wanted[i] <= 0) {
                return true;
            }
        }
        return false;
    }

    /** The least squares over the free unknowns, whatever their signs; the others are 0. */
    private double[] unbounded() {
        double[] all = new double[unknowns];
        int[] columns = IntStream.range(0, unknowns).filter(i -> free[i]).toArray();
        if (columns.length == 0) {
            return all;
        }
        int[] everyRow = IntStream.range(0, rows.getRowDimension()).toArray();
        double[] some = new QRDecomposition(rows.getSubMatrix(everyRow, columns))
                .getSolver()
                .solve(targets)
                .toArray();
        for (int i = 0; i < columns.length; i++) {
            all[columns[i]] = some[i];
        }
        return all;
    }
}
