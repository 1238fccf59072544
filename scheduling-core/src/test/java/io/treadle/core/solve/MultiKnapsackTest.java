// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.junit.jupiter.api.Test;

class MultiKnapsackTest {
    private static final long ENOUGH = 1_000_000_000;

    private static final class Problem {
        private final double[] values;
        private final double[][] weights;
        private final double[] capacity;

        Problem(double[] values, double[][] weights, double[] capacity) {
            this.values = values;
            this.weights = weights;
            this.capacity = capacity;
        }

        KnapsackItems items() {
            return new KnapsackItems(values, weights, capacity);
        }
    }

    private static Problem problem(double[] values, double[][] weights, double... capacity) {
        return new Problem(values, weights, capacity);
    }

    private static final Problem M1 =
            problem(new double[] {60, 50, 40, 30, 20}, new double[][] {{5, 4, 3, 2, 1}, {4, 5, 1, 3, 2}}, 8, 8);
    private static final Problem M2 =
            problem(new double[] {10, 10, 10, 11}, new double[][] {{5, 5, 5, 9}, {5, 5, 5, 9}}, 10, 10);
    private static final Problem M3 = problem(new double[] {100, 1}, new double[][] {{10, 1}, {1, 10}}, 10, 10);
    private static final Problem M4 = problem(
            new double[] {92, 57, 49, 68, 60, 43, 67, 84, 87, 72},
            new double[][] {{23, 31, 29, 44, 53, 38, 63, 85, 89, 82}},
            165);
    private static final Problem M5 =
            problem(new double[] {24, 13, 23, 15, 16}, new double[][] {{12, 7, 11, 8, 9}, {4, 3, 6, 2, 5}}, 26, 11);

    @Test
    void knownAnswers() {
        assertKnown(M1, 90, 110, 114.44444444444444, 1, 2, 4);
        assertKnown(M2, 20, 20, 20);
        assertKnown(M3, 100, 100, 100, 0);
        assertKnown(M4, 309, 309, 309.0188679245283, 0, 1, 2, 3, 5);
        assertKnown(M5, 47, 51, 52.625, 1, 2, 3);
    }

    /** @param chosen the best choice; none where there are several */
    private static void assertKnown(Problem problem, double unguessed, double best, double relaxed, int... chosen) {
        assertEquals(relaxed, BoundedSimplex.of(problem.items()).value(), 1e-9);
        assertEquals(
                unguessed, MultiKnapsack.solvePlain(problem.items(), 0, ENOUGH).value(), 1e-9);
        Packed guessed = MultiKnapsack.solvePlain(problem.items(), 1, ENOUGH);
        assertEquals(best, guessed.value(), 1e-9);
        assertEquals(relaxed, guessed.bound(), 1e-9);
        Packed exact = ExactKnapsack.solve(problem.items(), 10_000);
        assertEquals(best, exact.value(), 1e-9);
        assertEquals(best, exact.bound(), 1e-9);
        if (chosen.length > 0) {
            BitSet expected = new BitSet();
            Arrays.stream(chosen).forEach(expected::set);
            assertEquals(expected, guessed.items());
            assertEquals(expected, exact.items());
        }
    }

    /** Against a solver of somebody else's, with at most as many items in part as there are resources. */
    @Test
    void theRelaxationIsTheLinearProgram() {
        Random random = new Random(21);
        for (int i = 0; i < 300; i++) {
            Problem problem = random(random, 1 + random.nextInt(30), 1 + random.nextInt(5));
            BoundedSimplex mix = BoundedSimplex.of(problem.items());
            assertEquals(linearProgram(problem), mix.value(), 1e-7 * (1 + mix.value()));
            int inPart = 0;
            for (int j = 0; j < problem.values.length; j++) {
                inPart += mix.part(j) > 1e-9 && mix.part(j) < 1 - 1e-9 ? 1 : 0;
            }
            assertTrue(inPart <= problem.capacity.length, inPart + " items in part");
        }
    }

    private static double linearProgram(Problem problem) {
        int count = problem.values.length;
        List<LinearConstraint> constraints = new ArrayList<>();
        for (int i = 0; i < problem.capacity.length; i++) {
            constraints.add(new LinearConstraint(problem.weights[i], Relationship.LEQ, problem.capacity[i]));
        }
        for (int j = 0; j < count; j++) {
            double[] one = new double[count];
            one[j] = 1;
            constraints.add(new LinearConstraint(one, Relationship.LEQ, 1));
        }
        return new SimplexSolver()
                .optimize(
                        new MaxIter(10_000),
                        new LinearObjectiveFunction(problem.values, 0),
                        new LinearConstraintSet(constraints),
                        GoalType.MAXIMIZE,
                        new NonNegativeConstraint(true))
                .getValue();
    }

    @Test
    void branchAndBoundIsTheBest() {
        Random random = new Random(22);
        for (int i = 0; i < 200; i++) {
            Problem problem = random(random, 1 + random.nextInt(12), 1 + random.nextInt(4));
            Packed exact = ExactKnapsack.solve(problem.items(), 100_000);
            assertTrue(exact.finished());
            assertEquals(everyChoice(problem), exact.value(), 1e-9 * (1 + exact.value()));
        }
    }

    private static double everyChoice(Problem problem) {
        double best = 0;
        for (int set = 0; set < 1 << problem.values.length; set++) {
            double value = value(problem, BitSet.valueOf(new long[] {set}));
            best = Math.max(best, value);
        }
        return best;
    }

    /** NaN where the choice does not fit. */
    private static double value(Problem problem, BitSet choice) {
        for (int i = 0; i < problem.capacity.length; i++) {
            double[] weights = problem.weights[i];
            if (choice.stream().mapToDouble(j -> weights[j]).sum() > problem.capacity[i] * (1 + 1e-9)) {
                return -1;
            }
        }
        return choice.stream().mapToDouble(j -> problem.values[j]).sum();
    }

    /**
     * As published, with one guess, 0.987 of the best on average and 0.804 at worst on these 400; a reference implementation
     * of ours had 0.9906 and 0.865 on 60 of its own. With the exchanges that are shipped all 400 are the best, which is more
     * than is promised: 0.99 on average, and never below 0.95.
     */
    @Test
    void oneGuessIsNearTheBest() {
        Random random = new Random(23);
        double sum = 0;
        double improvedSum = 0;
        int count = 0;
        double worst = 1;
        for (int i = 0; i < 400; i++) {
            Problem problem = random(random, 5 + random.nextInt(14), 2 + random.nextInt(3));
            double best = ExactKnapsack.solve(problem.items(), 1_000_000).value();
            Packed plain = MultiKnapsack.solvePlain(problem.items(), 1, ENOUGH);
            Packed improved = MultiKnapsack.solve(problem.items(), 1, ENOUGH);
            for (Packed packed : List.of(plain, improved)) {
                assertEquals(value(problem, packed.items()), packed.value(), 1e-9, "what is chosen fits");
                assertTrue(packed.value() <= packed.bound() * (1 + 1e-12));
                assertTrue(packed.value() <= best * (1 + 1e-9));
                assertTrue(best <= packed.bound() * (1 + 1e-9));
            }
            if (best > 0) {
                sum += plain.value() / best;
                improvedSum += improved.value() / best;
                count++;
                worst = Math.min(worst, improved.value() / best);
            }
        }
        assertTrue(sum / count >= 0.98, "as published on average " + sum / count);
        assertTrue(improvedSum / count >= 0.99, "on average " + improvedSum / count);
        assertTrue(worst >= 0.95, "at worst " + worst);
    }

    /** Guesses that are left out by their bound would not have been better. */
    @Test
    void boundsLeaveOutNoBetterGuess() {
        Random random = new Random(24);
        for (int i = 0; i < 100; i++) {
            Problem problem = random(random, 4 + random.nextInt(8), 1 + random.nextInt(3));
            double two = MultiKnapsack.solvePlain(problem.items(), 2, ENOUGH).value();
            assertTrue(
                    two >= MultiKnapsack.solvePlain(problem.items(), 1, ENOUGH).value() - 1e-9);
            double all = MultiKnapsack.solvePlain(problem.items(), 12, ENOUGH).value();
            assertEquals(everyChoice(problem), all, 1e-9 * (1 + all), "all guessed is the best");
        }
    }

    @Test
    void stepsThatAreUsedUpLeaveTheBestSoFar() {
        Problem problem = random(new Random(25), 400, 3);
        Packed cut = MultiKnapsack.solve(problem.items(), 1, 1);
        assertFalse(cut.finished());
        Packed whole = MultiKnapsack.solve(problem.items(), 1, ENOUGH);
        assertTrue(whole.finished());
        assertTrue(cut.value() > 0.9 * whole.value());
        assertEquals(whole.bound(), cut.bound(), 1e-6);
    }

    @Test
    void whatFitsNowhereAndWhatIsWorthNothingStaysOut() {
        Packed packed = MultiKnapsack.solve(
                new KnapsackItems(new double[] {5, 0, 3}, new double[][] {{4, 1, 1}, {0, 0, 2}}, new double[] {3, 0}),
                1,
                ENOUGH);
        assertEquals(0, packed.value());
        assertEquals(0, packed.bound(), 1e-9);
    }

    @Test
    void badNumbersAreNamed() {
        assertEquals(
                "value is NaN, must be a finite number of 0 or more",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new KnapsackItems(
                                        new double[] {Double.NaN}, new double[][] {{1}}, new double[] {1}))
                        .getMessage());
    }

    private static Problem random(Random random, int count, int resources) {
        double[] values = new double[count];
        double[][] weights = new double[resources][count];
        double[] capacity = new double[resources];
        for (int j = 0; j < count; j++) {
            values[j] = 1 + random.nextInt(100);
        }
        for (int i = 0; i < resources; i++) {
            double sum = 0;
            for (int j = 0; j < count; j++) {
                weights[i][j] = 1 + random.nextInt(40);
                sum += weights[i][j];
            }
            capacity[i] = Math.floor(sum * (0.25 + 0.5 * random.nextDouble()));
        }
        return new Problem(values, weights, capacity);
    }
}
