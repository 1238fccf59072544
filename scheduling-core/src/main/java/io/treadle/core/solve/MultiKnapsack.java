// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The 0/1 knapsack with several resources, after Frieze and Clarke (European Journal of Operational Research 15(1), 1984):
 * the few most valuable items are guessed, the rest is what the relaxation takes whole, and what still fits is put in. With
 * guesses of up to k items and R resources it is worth at least {@code 1 − R ÷ k} of the best where k is above R, and the
 * best where that has no more than k items. Beyond that exchanges are tried, and guesses are left out by which, at the
 * relaxation's prices, no better choice can be had: neither makes it worse. It always tells the relaxation's bound.
 */
public final class MultiKnapsack {
    private static final double EPSILON = 1e-9;
    /** Items that are chosen anew in the end, and relaxations that are looked at for that. */
    private static final int NEAR = 30;

    private static final long NODES = 3_000;

    private final KnapsackItems items;
    private final int guesses;
    private final Steps steps;
    /** What fits nowhere alone is no part of the mix either. */
    private final boolean[] fitting;

    private final BoundedSimplex relaxed;
    private final double[] reduced;
    /** From the least valuable to the most. */
    private final int[] byValue;
    /** Of the items that are worth no more than the one at the place: all that they bring beyond their prices. */
    private final double[] gains;

    private BitSet best = new BitSet();
    private double bestValue = -1;

    private MultiKnapsack(KnapsackItems items, int guesses, long steps) {
        this.items = items;
        this.guesses = guesses;
        this.steps = new Steps(steps);
        this.fitting = fitting(items);
        this.relaxed = BoundedSimplex.of(items, fitting, items.capacity());
        this.reduced = new double[items.count()];
        for (int j = 0; j < reduced.length; j++) {
            reduced[j] = fitting[j] ? items.value(j) : 0;
            for (int i = 0; i < items.resources(); i++) {
                reduced[j] -= relaxed.price(i) * items.weight(i, j);
            }
        }
        this.byValue = IntStream.range(0, items.count())
                .boxed()
                .sorted(Comparator.comparingDouble(items::value))
                .mapToInt(Integer::intValue)
                .toArray();
        this.gains = new double[byValue.length];
        double sum = 0;
        for (int at = 0; at < byValue.length; at++) {
            sum += Math.max(0, reduced[byValue[at]]);
            gains[at] = sum;
        }
        // Those of one value go together.
        for (int at = byValue.length - 2; at >= 0; at--) {
            if (items.value(byValue[at]) == items.value(byValue[at + 1])) {
                gains[at] = gains[at + 1];
            }
        }
    }

    private static boolean[] fitting(KnapsackItems items) {
        boolean[] fitting = new boolean[items.count()];
        double[] capacity = items.capacity();
        for (int j = 0; j < fitting.length; j++) {
            fitting[j] = items.fits(j, capacity);
        }
        return fitting;
    }

    /**
     * @param guesses the most items that are guessed
     * @param steps the most that is done, in looks at an item: about as many as nanoseconds; the relaxation of all items and
     *     what it takes whole are always looked at
     */
    public static Packed solve(KnapsackItems items, int guesses, long steps) {
        return new MultiKnapsack(items, guesses, steps).solve(true);
    }

    /** The same without the branch and bound in the end, as published. */
    public static Packed solvePlain(KnapsackItems items, int guesses, long steps) {
        return new MultiKnapsack(items, guesses, steps).solve(false);
    }

    private Packed solve(boolean improves) {
        consider(taken(relaxed, new BitSet()));
        guess(new BitSet(), items.capacity(), items.count(), 0);
        if (improves) {
            improve();
        }
        // Right also where the simplex was cut off.
        double bound = Math.max(bestValue, bound());
        return new Packed(best, bestValue, bound, steps.areLeft());
    }

    /** Adds each item that may still be guessed, the most valuable first. */
    private void guess(BitSet guessed, double[] left, int before, double reducedSum) {
        if (guessed.cardinality() == guesses) {
            return;
        }
        for (int at = before - 1; at >= 0 && steps.take(1 + items.resources()); at--) {
            int item = byValue[at];
            if (items.fits(item, left)) {
                BitSet with = (BitSet) guessed.clone();
                with.set(item);
                double[] rest = left.clone();
                items.take(item, rest);
                double sum = reducedSum + reduced[item];
                if (bound(with, at, sum) > bestValue + EPSILON * items.mostValue()) {
                    complete(with, at, rest);
                    guess(with, rest, at, sum);
                }
            }
        }
    }

    /** What no choice can exceed of which these are the most valuable, by the relaxation's prices. */
    private double bound(BitSet guessed, int at, double reducedSum) {
        double bound = reducedSum + priced();
        double rest = gains[at];
        for (int item = guessed.nextSetBit(0); item >= 0; item = guessed.nextSetBit(item + 1)) {
            // Of those counted among the rest.
            rest -= items.value(item) <= items.value(byValue[at]) ? Math.max(0, reduced[item]) : 0;
        }
        return bound + rest;
    }

    /** No choice is worth more. */
    private double bound() {
        return priced() + (gains.length == 0 ? 0 : gains[gains.length - 1]);
    }

    /** What all that there is would be worth at its prices. */
    private double priced() {
        double sum = 0;
        double[] capacity = items.capacity();
        for (int i = 0; i < capacity.length; i++) {
            sum += relaxed.price(i) * capacity[i];
        }
        return sum;
    }

    private void complete(BitSet guessed, int at, double[] left) {
        boolean[] allowed = new boolean[items.count()];
        double least = items.value(byValue[at]);
        for (int j = 0; j < allowed.length; j++) {
            allowed[j] = !guessed.get(j) && items.value(j) <= least && items.fits(j, left);
        }
        for (int i = 0; i < left.length; i++) {
            left[i] = Math.max(0, left[i]);
        }
        BoundedSimplex rest = BoundedSimplex.of(items, allowed, left);
        steps.take(rest.steps() * items.count() * items.resources());
        consider(taken(rest, guessed));
    }

    private BitSet taken(BoundedSimplex mix, BitSet guessed) {
        BitSet taken = (BitSet) guessed.clone();
        for (int j = 0; j < items.count(); j++) {
            if (mix.part(j) > 1 - EPSILON) {
                taken.set(j);
            }
        }
        return taken;
    }

    private void consider(BitSet taken) {
        double[] left = items.capacity();
        taken.stream().forEach(item -> items.take(item, left));
        fill(taken, left);
        double value = value(taken);
        if (value > bestValue) {
            bestValue = value;
            best = taken;
        }
    }

    /** What still fits, by what it is worth for what it takes. */
    private void fill(BitSet taken, double[] left) {
        int[] order = IntStream.range(0, items.count())
                .filter(j -> !taken.get(j) && items.value(j) > 0 && items.fits(j, left))
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -items.value(j) / Math.max(Double.MIN_NORMAL, items.weight(j))))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int item : order) {
            if (items.fits(item, left)) {
                items.take(item, left);
                taken.set(item);
            }
        }
        steps.take((long) items.count() * items.resources());
    }

    /** The best choice of the items over which there is most to choose, all others as they are. */
    private void improve() {
        int[] near = IntStream.range(0, items.count())
                .filter(j -> fitting[j])
                .boxed()
                .sorted(Comparator.comparingDouble(j -> Math.abs(reduced[j])))
                .limit(NEAR)
                .mapToInt(Integer::intValue)
                .toArray();
        BitSet fixed = (BitSet) best.clone();
        Arrays.stream(near).forEach(fixed::clear);
        double[] left = items.capacity();
        fixed.stream().forEach(item -> items.take(item, left));
        double fixedValue = value(fixed);
        BitSet taken = new BitSet();
        for (int j = 0; j < near.length; j++) {
            taken.set(j, best.get(near[j]));
        }
        ExactKnapsack search = new ExactKnapsack(items.only(near, left), taken, bestValue - fixedValue, NODES);
        search.search();
        if (fixedValue + search.bestValue() > bestValue) {
            search.best().stream().forEach(j -> fixed.set(near[j]));
            best = fixed;
            bestValue = fixedValue + search.bestValue();
        }
    }

    private double value(BitSet taken) {
        return taken.stream().mapToDouble(items::value).sum();
    }
}
