// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static com.google.common.base.Preconditions.checkArgument;

/** What may be put into a knapsack with several resources: each item at most once. */
public final class KnapsackItems {
    private final double[] values;
    private final double[][] weights;
    private final double[] capacity;
    private final double mostValue;

    /**
     * @param values what each item is worth, 0 or more
     * @param weights of each resource, what each item takes, 0 or more
     * @param capacity what there is of each resource, 0 or more
     * @throws IllegalArgumentException where the lengths differ, or a number is negative or not finite
     */
    public KnapsackItems(double[] values, double[][] weights, double[] capacity) {
        checkArgument(
                weights.length == capacity.length,
                "weights of %s resources, capacity of %s",
                weights.length,
                capacity.length);
        double most = 0;
        for (double value : values) {
            check("value", value);
            most = Math.max(most, value);
        }
        this.mostValue = most;
        this.values = values.clone();
        this.weights = new double[weights.length][];
        this.capacity = new double[weights.length];
        for (int i = 0; i < weights.length; i++) {
            checkArgument(
                    weights[i].length == values.length,
                    "resource %s has weights of %s items, there are %s",
                    i,
                    weights[i].length,
                    values.length);
            check("capacity", capacity[i]);
            // In parts of what there is, so that all resources count alike; of what there is nothing, in its own unit.
            double scale = capacity[i] > 0 ? capacity[i] : 1;
            this.capacity[i] = capacity[i] / scale;
            this.weights[i] = new double[values.length];
            for (int j = 0; j < values.length; j++) {
                check("weight", weights[i][j]);
                this.weights[i][j] = weights[i][j] / scale;
            }
        }
    }

    private static void check(String what, double value) {
        checkArgument(
                value >= 0 && !Double.isInfinite(value), "%s is %s, must be a finite number of 0 or more", what, value);
    }

    /**
     * Some of the items, with so much of each resource.
     *
     * @param left as parts of what there was
     */
    KnapsackItems only(int[] kept, double[] left) {
        double[][] some = new double[weights.length][kept.length];
        double[] ofThese = new double[kept.length];
        double[] rest = new double[left.length];
        for (int j = 0; j < kept.length; j++) {
            ofThese[j] = values[kept[j]];
            for (int i = 0; i < some.length; i++) {
                some[i][j] = weights[i][kept[j]];
            }
        }
        for (int i = 0; i < left.length; i++) {
            rest[i] = Math.max(0, left[i]);
        }
        return new KnapsackItems(ofThese, some, rest);
    }

    int count() {
        return values.length;
    }

    int resources() {
        return capacity.length;
    }

    double value(int item) {
        return values[item];
    }

    double mostValue() {
        return mostValue;
    }

    /** As a part of what there is of the resource. */
    double weight(int resource, int item) {
        return weights[resource][item];
    }

    /** Of all resources together, as parts of what there is. */
    double weight(int item) {
        double sum = 0;
        for (double[] ofResource : weights) {
            sum += ofResource[item];
        }
        return sum;
    }

    /** 1 for each resource of which there is anything. */
    double[] capacity() {
        return capacity.clone();
    }

    boolean fits(int item, double[] left) {
        for (int i = 0; i < left.length; i++) {
            // Sums of whole amounts that were divided may miss their own sum by rounding.
            if (weights[i][item] > left[i] + 1e-9) {
                return false;
            }
        }
        return true;
    }

    void take(int item, double[] left) {
        for (int i = 0; i < left.length; i++) {
            left[i] -= weights[i][item];
        }
    }

    void giveBack(int item, double[] left) {
        for (int i = 0; i < left.length; i++) {
            left[i] += weights[i][item];
        }
    }
}
