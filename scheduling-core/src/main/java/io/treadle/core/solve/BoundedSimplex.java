// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.Arrays;

/**
 * The linear relaxation of a knapsack with several resources: the most that {@code Σ value · x} can be where no resource is
 * overdrawn and each x lies between 0 and 1. By the primal simplex method with bounded variables (Dantzig, Linear Programming
 * and Extensions, 1963, chapter 18): a step costs as much as looking at all items once, and at most as many x lie between
 * their bounds as there are resources.
 */
public final class BoundedSimplex {
    private static final double EPSILON = 1e-10;
    private static final int AT_LOWER = -1;
    private static final int AT_UPPER = -2;

    private final KnapsackItems items;
    private final int rows;
    private final int count;
    /** The row in which the variable is basic, or the bound at which it is; slacks come after the items. */
    private final int[] place;

    private final int[] basis;
    private final double[][] inverse;
    private final double[] basic;
    private double[] prices;
    private long steps;

    private BoundedSimplex(KnapsackItems items, boolean[] allowed, double[] left) {
        this.items = items;
        this.rows = left.length;
        this.count = items.count();
        place = new int[count + rows];
        basis = new int[rows];
        inverse = new double[rows][rows];
        basic = left.clone();
        prices = new double[rows];
        for (int j = 0; j < count; j++) {
            place[j] = AT_LOWER;
        }
        for (int i = 0; i < rows; i++) {
            basis[i] = count + i;
            place[count + i] = i;
            inverse[i][i] = 1;
        }
        solve(allowed);
    }

    /** The best mix of all items. */
    public static BoundedSimplex of(KnapsackItems items) {
        boolean[] all = new boolean[items.count()];
        Arrays.fill(all, true);
        return of(items, all, items.capacity());
    }

    /**
     * @param allowed the items that may be taken
     * @param left what there is of each resource, 0 or more
     */
    static BoundedSimplex of(KnapsackItems items, boolean[] allowed, double[] left) {
        return new BoundedSimplex(items, allowed, left);
    }

    /** How much of an item is taken, from 0 to 1. */
    public double part(int item) {
        int at = place[item];
        return at == AT_LOWER ? 0 : at == AT_UPPER ? 1 : Math.max(0, Math.min(1, basic[at]));
    }

    /** What the mix is worth; no choice of whole items is worth more. */
    public double value() {
        double value = 0;
        for (int j = 0; j < count; j++) {
            value += part(j) * items.value(j);
        }
        return value;
    }

    /** What all that there is of a resource would be worth at the price of a little more of it. */
    double price(int resource) {
        return prices[resource];
    }

    /** Steps that it took, each a look at all items. */
    long steps() {
        return steps;
    }

    private void solve(boolean[] allowed) {
        long most = 50L * (count + rows) + 1000;
        // After that Bland's rule, which cannot go round in circles.
        long bland = 10L * (rows + 10) + 2L * count;
        while (steps < most) {
            steps++;
            prices = prices();
            int entering = entering(allowed, steps > bland);
            if (entering < 0) {
                return;
            }
            enter(entering);
        }
    }

    private double[] prices() {
        double[] found = new double[rows];
        for (int i = 0; i < rows; i++) {
            double value = basis[i] < count ? items.value(basis[i]) : 0;
            if (value != 0) {
                for (int k = 0; k < rows; k++) {
                    found[k] += value * inverse[i][k];
                }
            }
        }
        return found;
    }

    /** Of items and slacks the one whose change brings most, or with Bland's rule the first that brings anything. */
    private int entering(boolean[] allowed, boolean first) {
        int best = -1;
        double most = EPSILON * items.mostValue();
        for (int j = 0; j < count + rows; j++) {
            if (place[j] < 0 && (j >= count || allowed[j])) {
                double reduced = reduced(j);
                double gain = place[j] == AT_LOWER ? reduced : -reduced;
                if (gain > most) {
                    best = j;
                    most = gain;
                    if (first) {
                        return best;
                    }
                }
            }
        }
        return best;
    }

    private double reduced(int variable) {
        if (variable >= count) {
            return -prices[variable - count];
        }
        double reduced = items.value(variable);
        for (int i = 0; i < rows; i++) {
            reduced -= prices[i] * items.weight(i, variable);
        }
        return reduced;
    }

    /** Moves a variable away from its bound until a basic one, or itself, comes to a bound. */
    private void enter(int entering) {
        double sign = place[entering] == AT_LOWER ? 1 : -1;
        double[] change = new double[rows];
        for (int i = 0; i < rows; i++) {
            if (entering >= count) {
                change[i] = sign * inverse[i][entering - count];
            } else {
                for (int k = 0; k < rows; k++) {
                    change[i] += sign * inverse[i][k] * items.weight(k, entering);
                }
            }
        }
        double way = entering < count ? 1 : Double.POSITIVE_INFINITY;
        int leaving = -1;
        boolean toUpper = false;
        for (int i = 0; i < rows; i++) {
            if (change[i] > EPSILON) {
                double here = Math.max(0, basic[i]) / change[i];
                if (here < way) {
                    way = here;
                    leaving = i;
                    toUpper = false;
                }
            } else if (change[i] < -EPSILON && basis[i] < count) {
                double here = Math.max(0, 1 - basic[i]) / -change[i];
                if (here < way) {
                    way = here;
                    leaving = i;
                    toUpper = true;
                }
            }
        }
        for (int i = 0; i < rows; i++) {
            basic[i] -= change[i] * way;
        }
        if (leaving < 0) {
            place[entering] = place[entering] == AT_LOWER ? AT_UPPER : AT_LOWER;
            return;
        }
        place[basis[leaving]] = toUpper ? AT_UPPER : AT_LOWER;
        double value = place[entering] == AT_LOWER ? way : 1 - way;
        pivot(leaving, entering, sign, change);
        basic[leaving] = value;
    }

    private void pivot(int leaving, int entering, double sign, double[] change) {
        double pivot = sign * change[leaving];
        for (int k = 0; k < rows; k++) {
            inverse[leaving][k] /= pivot;
        }
        for (int i = 0; i < rows; i++) {
            double factor = sign * change[i];
            if (i != leaving && factor != 0) {
                for (int k = 0; k < rows; k++) {
                    inverse[i][k] -= factor * inverse[leaving][k];
                }
            }
        }
        basis[leaving] = entering;
        place[entering] = leaving;
    }
}
