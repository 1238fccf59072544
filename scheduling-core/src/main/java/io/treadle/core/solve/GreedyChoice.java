// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A choice that is good at given prices: those to whom it matters most choose first. */
final class GreedyChoice {
    private final Choices problem;
    private final Relaxation relaxed;
    private final long[] left;
    private final int[][] counts;
    private final Steps steps;

    private GreedyChoice(Choices problem, Relaxation relaxed, Steps steps) {
        this.problem = problem;
        this.relaxed = relaxed;
        this.steps = steps;
        this.left = problem.capacity();
        this.counts = Chosen.empty(problem);
    }

    static int[][] of(Choices problem, Relaxation relaxed, Steps steps) {
        GreedyChoice choice = new GreedyChoice(problem, relaxed, steps);
        choice.choose();
        choice.fill();
        return choice.counts;
    }

    static boolean fits(Choices problem, int[][] counts) {
        long[] left = problem.capacity();
        for (int k = 0; k < counts.length; k++) {
            for (int o = 0; o < counts[k].length; o++) {
                take(left, problem.option(k, o), counts[k][o]);
            }
        }
        return Arrays.stream(left).allMatch(one -> one >= 0);
    }

    private record Ranked(int kind, List<Integer> options, double regret) {}

    private Ranked ranked(int kind) {
        List<Choices.Option> options = problem.kinds().get(kind).options();
        double[] reduced = new double[options.size()];
        List<Integer> order = new ArrayList<>(reduced.length);
        for (int o = 0; o < reduced.length; o++) {
            reduced[o] = relaxed.reduced(options.get(o));
            order.add(o);
        }
        order.sort(Comparator.comparingDouble((Integer o) -> reduced[o]).reversed());
        double regret = order.size() < 2 ? 0 : reduced[order.get(0)] - reduced[order.get(1)];
        return new Ranked(kind, order, regret);
    }

    private void choose() {
        List<Ranked> kinds = new ArrayList<>();
        for (int k = 0; k < counts.length; k++) {
            kinds.add(ranked(k));
        }
        kinds.sort(Comparator.comparingDouble(Ranked::regret).reversed());
        for (Ranked kind : kinds) {
            List<Choices.Option> options = problem.kinds().get(kind.kind()).options();
            int open = problem.kinds().get(kind.kind()).count();
            for (int o : kind.options()) {
                int here = (int) Math.min(open, most(options.get(o)));
                take(left, options.get(o), here);
                counts[kind.kind()][o] += here;
                open -= here;
            }
            // What takes nothing always fits, so all have chosen.
        }
    }

    /** How many more can take this. */
    private long most(Choices.Option option) {
        long most = Integer.MAX_VALUE;
        for (int i = 0; i < left.length; i++) {
            if (option.cost(i) > 0) {
                most = Math.min(most, left[i] / option.cost(i));
            }
        }
        return most;
    }

    private static void take(long[] left, Choices.Option option, int times) {
        for (int i = 0; i < left.length; i++) {
            left[i] -= times * option.cost(i);
        }
    }

    /** Lets one after the other have something better of what is left. */
    private void fill() {
        boolean again = true;
        long look = problem.size();
        while (again && steps.take(look)) {
            int kind = -1;
            int from = 0;
            int to = 0;
            double most = 0;
            for (int k = 0; k < counts.length; k++) {
                List<Choices.Option> options = problem.kinds().get(k).options();
                for (int a = 0; a < options.size(); a++) {
                    for (int b = 0; counts[k][a] > 0 && b < options.size(); b++) {
                        double gain = options.get(b).value() - options.get(a).value();
                        if (gain > most && canSwap(options.get(a), options.get(b))) {
                            most = gain;
                            kind = k;
                            from = a;
                            to = b;
                        }
                    }
                }
            }
            again = kind >= 0;
            if (again) {
                List<Choices.Option> options = problem.kinds().get(kind).options();
                take(left, options.get(from), -1);
                take(left, options.get(to), 1);
                counts[kind][from]--;
                counts[kind][to]++;
            }
        }
    }

    private boolean canSwap(Choices.Option from, Choices.Option to) {
        boolean fits = true;
        for (int i = 0; i < left.length && fits; i++) {
            fits = to.cost(i) - from.cost(i) <= left[i];
        }
        return fits;
    }
}
