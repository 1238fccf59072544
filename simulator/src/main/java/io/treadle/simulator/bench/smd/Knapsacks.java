// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.core.solve.ExactKnapsack;
import io.treadle.core.solve.KnapsackItems;
import io.treadle.core.solve.MultiKnapsack;
import io.treadle.core.solve.Packed;
import java.util.Random;

/**
 * Knapsacks of 5 to 18 items and 2 to 4 resources beside the best choice.
 *
 * @param count how many
 * @param published with one guess as published
 * @param ours with the last items chosen anew
 * @param aboveBound how many claim to be worth more than their bound
 */
record Knapsacks(int count, Part published, Part ours, int aboveBound) {
    private static final long ENOUGH = 1_000_000_000;

    /** Of the best choice, on average and at worst. */
    record Part(double mean, double worst) {
        private Part with(double part, int of) {
            return new Part(mean + part / of, Math.min(worst, part));
        }
    }

    static Knapsacks of(long seed, int count) {
        Random random = new Random(seed);
        Part published = new Part(0, 1);
        Part ours = new Part(0, 1);
        int aboveBound = 0;
        for (int i = 0; i < count; i++) {
            KnapsackItems items = draw(random);
            double best = ExactKnapsack.solve(items, ENOUGH).value();
            Packed plain = MultiKnapsack.solvePlain(items, 1, ENOUGH);
            Packed improved = MultiKnapsack.solve(items, 1, ENOUGH);
            published = published.with(plain.value() / best, count);
            ours = ours.with(improved.value() / best, count);
            aboveBound += plain.value() > plain.bound() + 1e-9 || improved.value() > improved.bound() + 1e-9 ? 1 : 0;
        }
        return new Knapsacks(count, published, ours, aboveBound);
    }

    private static KnapsackItems draw(Random random) {
        int count = 5 + random.nextInt(14);
        int resources = 2 + random.nextInt(3);
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
            capacity[i] = Math.floor(Math.max(40, sum * (0.25 + 0.5 * random.nextDouble())));
        }
        return new KnapsackItems(values, weights, capacity);
    }
}
