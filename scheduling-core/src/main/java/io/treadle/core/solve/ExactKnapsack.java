// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.Arrays;
import java.util.BitSet;

/** The best choice for a knapsack with several resources, by branch and bound with the linear relaxation. For few items. */
public final class ExactKnapsack {
    private static final double EPSILON = 1e-9;

    private final KnapsackItems items;
    private final boolean[] open;
    private final BitSet taken = new BitSet();
    private long nodesLeft;
    private BitSet best;
    private double bestValue;

    /**
     * @param known a choice that fits
     * @param value what it is worth
     * @param nodes how many relaxations are looked at at most
     */
    ExactKnapsack(KnapsackItems items, BitSet known, double value, long nodes) {
        this.items = items;
        this.open = new boolean[items.count()];
        Arrays.fill(open, true);
        this.best = known;
        this.bestValue = value;
        this.nodesLeft = nodes;
    }

    /** @param nodes how many relaxations are looked at at most; beyond that it is the best found so far, with its bound */
    public static Packed solve(KnapsackItems items, long nodes) {
        Packed known = MultiKnapsack.solve(items, 1, nodes * items.count());
        ExactKnapsack search = new ExactKnapsack(items, known.items(), known.value(), nodes);
        search.search();
        boolean isFinished = search.nodesLeft > 0;
        return new Packed(search.best, search.bestValue, isFinished ? search.bestValue : known.bound(), isFinished);
    }

    void search() {
        branch(items.capacity(), 0);
    }

    BitSet best() {
        return best;
    }

    double bestValue() {
        return bestValue;
    }

    private void branch(double[] left, double value) {
        if (nodesLeft <= 0) {
            return;
        }
        nodesLeft--;
        if (value > bestValue) {
            bestValue = value;
            best = (BitSet) taken.clone();
        }
        boolean[] allowed = open.clone();
        for (int j = 0; j < allowed.length; j++) {
            allowed[j] &= items.fits(j, left);
        }
        for (int i = 0; i < left.length; i++) {
            left[i] = Math.max(0, left[i]);
        }
        BoundedSimplex relaxed = BoundedSimplex.of(items, allowed, left);
        if (value + relaxed.value() <= bestValue + EPSILON * items.mostValue()) {
            return;
        }
        int item = branching(relaxed, allowed);
        if (item < 0) {
            return;
        }
        open[item] = false;
        double[] rest = left.clone();
        items.take(item, rest);
        taken.set(item);
        branch(rest, value + items.value(item));
        taken.clear(item);
        branch(left.clone(), value);
        open[item] = true;
    }

    /** The item of which nearest to a half is taken; where all are whole, one that is taken. */
    private static int branching(BoundedSimplex mix, boolean[] allowed) {
        int best = -1;
        double nearest = Double.POSITIVE_INFINITY;
        for (int j = 0; j < allowed.length; j++) {
            if (allowed[j] && mix.part(j) > EPSILON && Math.abs(mix.part(j) - 0.5) < nearest) {
                nearest = Math.abs(mix.part(j) - 0.5);
                best = j;
            }
        }
        return best;
    }
}
