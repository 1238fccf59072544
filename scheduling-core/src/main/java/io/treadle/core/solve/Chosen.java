// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.Arrays;
import java.util.Optional;

/** Who takes what. */
public final class Chosen {
    private final int[][] counts;
    private final double value;
    private final double bound;
    private final boolean finished;

    private Chosen(int[][] counts, double value, double bound, boolean finished) {
        this.counts = counts;
        this.value = value;
        this.bound = bound;
        this.finished = finished;
    }

    static Chosen of(Choices problem, Steps steps) {
        int[][] all = all(problem);
        if (GreedyChoice.fits(problem, all)) {
            double value = value(problem, all);
            return new Chosen(all, value, value, true);
        }
        Relaxation relaxed = Relaxation.of(problem, steps);
        int[][] greedy = GreedyChoice.of(problem, relaxed, steps);
        double atLeast = value(problem, greedy);
        Optional<int[][]> exact = ExactChoice.better(problem, relaxed, atLeast, steps);
        int[][] counts = exact.orElse(greedy);
        double value = value(problem, counts);
        return new Chosen(counts, value, Math.max(value, relaxed.bound()), steps.areLeft());
    }

    /** Each takes what is worth most to it, as if there were enough for all. */
    private static int[][] all(Choices problem) {
        int[][] counts = empty(problem);
        for (int k = 0; k < counts.length; k++) {
            Choices.Kind kind = problem.kinds().get(k);
            int best = 0;
            for (int o = 1; o < kind.options().size(); o++) {
                best = kind.options().get(o).value() > kind.options().get(best).value() ? o : best;
            }
            counts[k][best] = kind.count();
        }
        return counts;
    }

    static int[][] empty(Choices problem) {
        return problem.kinds().stream()
                .map(kind -> new int[kind.options().size()])
                .toArray(int[][]::new);
    }

    static double value(Choices problem, int[][] counts) {
        double value = 0;
        for (int k = 0; k < counts.length; k++) {
            for (int o = 0; o < counts[k].length; o++) {
                value += counts[k][o] * problem.option(k, o).value();
            }
        }
        return value;
    }

    /** How many of a kind take each of its options, in their order. */
    public int[] counts(int kind) {
        return counts[kind].clone();
    }

    /** What all that is chosen is worth. */
    public double value() {
        return value;
    }

    /** No choice is worth more: what it would be worth if each could be mixed of several options. */
    public double bound() {
        return bound;
    }

    /** Whether the search came to its end; if not, its steps were used up and this is the best so far. */
    public boolean finished() {
        return finished;
    }

    @Override
    public String toString() {
        return "Chosen[value=" + value + ", bound=" + bound + ", finished=" + finished + ", counts="
                + Arrays.deepToString(counts) + "]";
    }
}
