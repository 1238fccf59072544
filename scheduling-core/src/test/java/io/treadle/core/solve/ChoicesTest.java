// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.PivotSelectionRule;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.junit.jupiter.api.Test;

class ChoicesTest {
    private static final double CLOSE = 1e-7;

    /**
     * Ten cores for three jobs that gain 2.1 from two cores and 5 from six, and one that gains 3 from four. 5 + 3 take all
     * and are 8, 5 + 2.1 + 2.1 as well and are 9.2; 2.1 × 3 + 3 are 9.3. No mix is worth more: the first two cores bring 1.05
     * each, the four of the other job 0.75 each, and the next four of the first only 2.9 ÷ 4.
     */
    @Test
    void aKnownAnswer() {
        Choices problem = new Choices(
                List.of(kind(3, option(0, 0), option(2.1, 2), option(5, 6)), kind(1, option(0, 0), option(3, 4))), 10);
        Chosen chosen = problem.solve();
        assertEquals(9.3, chosen.value(), CLOSE);
        assertEquals(9.3, chosen.bound(), CLOSE);
        assertArrayEquals(new int[] {0, 3, 0}, chosen.counts(0));
        assertArrayEquals(new int[] {0, 1}, chosen.counts(1));
    }

    /** Two jobs want three of five cores for a gain of 3: one gets them, and a mix would be worth 5. */
    @Test
    void theBoundIsOfMixedChoices() {
        Chosen chosen = new Choices(List.of(kind(2, option(0, 0), option(3, 3))), 5).solve();
        assertEquals(3, chosen.value(), CLOSE);
        assertEquals(5, chosen.bound(), CLOSE);
    }

    @Test
    void whereThereIsEnoughAllTakeTheBest() {
        Chosen chosen = new Choices(List.of(kind(4, option(0, 0, 0), option(2, 1, 5), option(1, 1, 9))), 4, 20).solve();
        assertArrayEquals(new int[] {0, 4, 0}, chosen.counts(0));
        assertEquals(8, chosen.bound(), 0);
    }

    @Test
    void nothingToChooseIsWorthNothing() {
        assertEquals(0, new Choices(List.of(), 3).solve().value());
        assertEquals(0, new Choices(List.of(kind(2, option(0, 0))), 0).solve().bound());
    }

    @Test
    void theFirstOptionIsNothing() {
        assertThrows(IllegalArgumentException.class, () -> kind(1, option(1, 0)));
        assertThrows(IllegalArgumentException.class, () -> kind(1));
        assertThrows(IllegalArgumentException.class, () -> new Choices(List.of(), -1));
        assertThrows(IllegalArgumentException.class, () -> new Choices(List.of(kind(1, option(0, 0, 0))), 1));
    }

    /** Small problems: the value is the best of all choices, and the bound that of the simplex method. */
    @Test
    void isTheBestOfAllChoices() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            Choices problem = random(random, 1 + random.nextInt(3), 3, 4, 0);
            Chosen chosen = problem.solve();
            double best = best(problem, 0, 0, problem.capacity());
            String where = "seed " + seed + ": " + chosen;
            check(problem, chosen, where);
            assertEquals(best, chosen.value(), CLOSE, where);
            assertEquals(simplex(problem), chosen.bound(), CLOSE * (1 + best), where);
        }
    }

    /** Larger ones: what is chosen fits, and the bound is that of the simplex method, from which it is not far. */
    @Test
    void isNearTheBound() {
        double sum = 0;
        int seeds = 200;
        for (long seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed);
            Choices problem = random(random, 6 + random.nextInt(7), 30, 9, .2);
            Chosen chosen = problem.solve();
            String where = "seed " + seed + ": " + chosen.value() + " of " + chosen.bound();
            check(problem, chosen, where);
            assertEquals(simplex(problem), chosen.bound(), CLOSE * (1 + chosen.bound()), where);
            sum += chosen.bound() == 0 ? 1 : chosen.value() / chosen.bound();
        }
        double mean = sum / seeds;
        assertTrue(mean > .99, () -> "on average " + mean + " of the bound");
    }

    /** Whenever it is cut off, what is chosen fits and the bound holds for the best; with enough steps that is what is found. */
    @Test
    void stepsThatAreUsedUpLeaveTheBestSoFar() {
        Choices problem = random(new Random(3), 9, 30, 9, .2);
        Chosen whole = problem.solve();
        assertTrue(whole.finished());
        int cut = 0;
        double bound = Double.POSITIVE_INFINITY;
        for (long steps = 1; steps < 1_000_000_000; steps *= 3) {
            Chosen chosen = problem.solve(steps);
            String where = steps + " steps: " + chosen;
            check(problem, chosen, where);
            assertTrue(chosen.value() <= whole.value() + CLOSE, where);
            assertTrue(chosen.bound() >= whole.bound() - CLOSE, where);
            assertTrue(chosen.bound() <= bound, where + ": more steps, a bound that is no better");
            bound = chosen.bound();
            assertTrue(!chosen.finished() || Math.abs(whole.value() - chosen.value()) < CLOSE, where);
            cut += chosen.finished() ? 0 : 1;
        }
        assertTrue(cut >= 5, cut + " are cut off");
        assertFalse(problem.solve(1).finished());
        assertTrue(problem.solve(1_000_000_000).finished());
    }

    private static void check(Choices problem, Chosen chosen, String where) {
        long[] left = problem.capacity();
        double value = 0;
        for (int k = 0; k < problem.kinds().size(); k++) {
            int[] counts = chosen.counts(k);
            assertEquals(problem.kinds().get(k).count(), Arrays.stream(counts).sum(), where);
            for (int o = 0; o < counts.length; o++) {
                assertTrue(counts[o] >= 0, where);
                Choices.Option option = problem.kinds().get(k).options().get(o);
                value += counts[o] * option.value();
                for (int r = 0; r < left.length; r++) {
                    left[r] -= counts[o] * option.cost(r);
                }
            }
        }
        assertTrue(Arrays.stream(left).allMatch(one -> one >= 0), where + " leaves " + Arrays.toString(left));
        assertEquals(value, chosen.value(), CLOSE, where);
        assertTrue(chosen.bound() >= value - CLOSE, where);
    }

    private static double best(Choices problem, int kind, int placed, long[] left) {
        if (kind == problem.kinds().size()) {
            return Arrays.stream(left).allMatch(one -> one >= 0) ? 0 : Double.NEGATIVE_INFINITY;
        }
        Choices.Kind all = problem.kinds().get(kind);
        if (placed == all.count()) {
            return best(problem, kind + 1, 0, left);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (Choices.Option option : all.options()) {
            long[] then = left.clone();
            for (int r = 0; r < then.length; r++) {
                then[r] -= option.cost(r);
            }
            best = Math.max(best, option.value() + best(problem, kind, placed + 1, then));
        }
        return best;
    }

    /** What takes the first option, which is worth nothing, is left out: then nobody need choose. */
    private static double simplex(Choices problem) {
        int variables = problem.kinds().stream()
                .mapToInt(kind -> kind.options().size() - 1)
                .sum();
        if (variables == 0) {
            return 0;
        }
        double[] value = new double[variables];
        double[][] used = new double[problem.capacity().length][variables];
        List<LinearConstraint> constraints = new ArrayList<>();
        int at = 0;
        for (Choices.Kind kind : problem.kinds()) {
            double[] one = new double[variables];
            for (Choices.Option option :
                    kind.options().subList(1, kind.options().size())) {
                value[at] = option.value();
                one[at] = 1;
                for (int r = 0; r < used.length; r++) {
                    used[r][at] = option.cost(r);
                }
                at++;
            }
            constraints.add(new LinearConstraint(one, Relationship.LEQ, kind.count()));
        }
        for (int r = 0; r < used.length; r++) {
            constraints.add(new LinearConstraint(used[r], Relationship.LEQ, problem.capacity()[r]));
        }
        return new SimplexSolver()
                .optimize(
                        new MaxIter(100_000),
                        new LinearObjectiveFunction(value, 0),
                        new LinearConstraintSet(constraints),
                        GoalType.MAXIMIZE,
                        new NonNegativeConstraint(true),
                        PivotSelectionRule.BLAND)
                .getValue();
    }

    /**
     * Options that cost more of one resource and perhaps less of another, and are worth more or not.
     *
     * @param least part of what all could take that there is of each resource
     */
    private static Choices random(Random random, int kinds, int most, int options, double least) {
        int resources = 1 + random.nextInt(3);
        List<Choices.Kind> all = new ArrayList<>();
        long sum = 0;
        for (int k = 0; k < kinds; k++) {
            List<Choices.Option> open = new ArrayList<>();
            open.add(new Choices.Option(0, new long[resources]));
            for (int o = random.nextInt(options); o > 0; o--) {
                long[] cost = random.longs(resources, random.nextInt(4) == 0 ? -2 : 0, 10)
                        .toArray();
                open.add(new Choices.Option(Math.round(random.nextDouble() * 40) / 10.0 - .3, cost));
            }
            int count = 1 + random.nextInt(most);
            sum += count;
            all.add(new Choices.Kind(count, open));
        }
        long limit = 1 + 8 * sum;
        return new Choices(
                all, random.longs(resources, (long) (least * limit), limit).toArray());
    }

    private static Choices.Kind kind(int count, Choices.Option... options) {
        return new Choices.Kind(count, List.of(options));
    }

    private static Choices.Option option(double value, long... cost) {
        return new Choices.Option(value, cost);
    }
}
