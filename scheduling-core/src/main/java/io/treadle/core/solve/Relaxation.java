// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.Arrays;
import java.util.List;

/**
 * The linear relaxation of {@link Choices}, by column generation (Dantzig and Wolfe, Operations Research 8(1), 1960): a
 * column is one way in which all choose, and the best such way at given prices is found kind by kind. The master problem has
 * a row for each resource and one more, however many kinds there are.
 */
final class Relaxation {
    private static final double EPSILON = 1e-10;
    private static final int MOST_PIVOTS_A_ROW = 200;

    private final Choices problem;
    /** Resources, and after them the row that says that the ways are mixed to a whole. */
    private final int rows;
    /** Resources are counted in parts of what there is. */
    private final double[] scale;

    private final long[] capacity;

    private final double[][] inverse;
    private final double[] basic;
    private final double[] worth;

    private double bound = Double.POSITIVE_INFINITY;
    private double[] prices = {};

    private Relaxation(Choices problem) {
        this.problem = problem;
        int resources = problem.resources();
        capacity = problem.capacity();
        rows = resources + 1;
        scale = new double[resources];
        inverse = new double[rows][rows];
        basic = new double[rows];
        worth = new double[rows];
        for (int i = 0; i < resources; i++) {
            scale[i] = Math.max(1, capacity[i]);
            basic[i] = capacity[i] / scale[i];
        }
        // All take their first option, and nothing is used.
        basic[resources] = 1;
        for (int i = 0; i < rows; i++) {
            inverse[i][i] = 1;
        }
    }

    /** Cut off early its bound holds as well, but it is not as low as it could be; it is priced once at least. */
    static Relaxation of(Choices problem, Steps steps) {
        Relaxation relaxation = new Relaxation(problem);
        long look = problem.size();
        for (int i = 0; i < MOST_PIVOTS_A_ROW * relaxation.rows && relaxation.improve() && steps.take(look); i++) {
            // Each step finds a better mix, or tighter prices.
        }
        for (int i = 0; i < relaxation.prices.length; i++) {
            relaxation.prices[i] /= relaxation.scale[i];
        }
        return relaxation;
    }

    /** No choice is worth more. */
    double bound() {
        return bound;
    }

    /** What an option is worth beyond what it takes, at the prices at which the bound is as low as it gets. */
    double reduced(Choices.Option option) {
        double reduced = option.value();
        for (int i = 0; i < prices.length; i++) {
            reduced -= prices[i] * option.cost(i);
        }
        return reduced;
    }

    /** Of one of a resource, 0 or more. */
    double price(int resource) {
        return prices[resource];
    }

    /** One pivot of the simplex method; false where the mix is the best that there is. */
    private boolean improve() {
        double[] dual = new double[rows];
        double mixed = 0;
        for (int i = 0; i < rows; i++) {
            mixed += worth[i] * basic[i];
            for (int j = 0; j < rows; j++) {
                dual[j] += worth[i] * inverse[i][j];
            }
        }
        for (int i = 0; i < rows - 1; i++) {
            if (dual[i] < -EPSILON) {
                double[] unused = new double[rows];
                unused[i] = 1;
                return enter(unused, 0);
            }
            dual[i] = Math.max(0, dual[i]);
        }
        double[] column = new double[rows];
        column[rows - 1] = 1;
        double value = 0;
        double reduced = 0;
        for (Choices.Kind kind : problem.kinds()) {
            Choices.Option best = best(kind.options(), dual);
            value += kind.count() * best.value();
            reduced += kind.count() * reduced(best, dual);
            for (int i = 0; i < rows - 1; i++) {
                column[i] += kind.count() * (best.cost(i) / scale[i]);
            }
        }
        double here = reduced;
        for (int i = 0; i < rows - 1; i++) {
            here += dual[i] * (capacity[i] / scale[i]);
        }
        if (here < bound) {
            bound = here;
            prices = Arrays.copyOf(dual, rows - 1);
        }
        double close = EPSILON * (1 + Math.abs(mixed));
        return bound - mixed > close && reduced - dual[rows - 1] > close && enter(column, value);
    }

    private Choices.Option best(List<Choices.Option> options, double[] dual) {
        Choices.Option best = options.get(0);
        double most = 0;
        for (int i = 1; i < options.size(); i++) {
            double here = reduced(options.get(i), dual);
            if (here > most) {
                most = here;
                best = options.get(i);
            }
        }
        return best;
    }

    private double reduced(Choices.Option option, double[] dual) {
        double reduced = option.value();
        for (int i = 0; i < rows - 1; i++) {
            reduced -= dual[i] * (option.cost(i) / scale[i]);
        }
        return reduced;
    }

    /** Takes a column into the mix for the one that is used up first. */
    private boolean enter(double[] column, double value) {
        double[] change = new double[rows];
        int leaves = -1;
        double most = 0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                change[i] += inverse[i][j] * column[j];
            }
            if (change[i] > EPSILON) {
                double here = Math.max(0, basic[i]) / change[i];
                if (leaves < 0 || here < most || (here == most && change[i] > change[leaves])) {
                    most = here;
                    leaves = i;
                }
            }
        }
        if (leaves < 0) {
            return false;
        }
        double pivot = change[leaves];
        for (int j = 0; j < rows; j++) {
            inverse[leaves][j] /= pivot;
        }
        for (int i = 0; i < rows; i++) {
            if (i != leaves) {
                for (int j = 0; j < rows; j++) {
                    inverse[i][j] -= change[i] * inverse[leaves][j];
                }
                basic[i] -= change[i] * most;
            }
        }
        basic[leaves] = most;
        worth[leaves] = value;
        return true;
    }
}
