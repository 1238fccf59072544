// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The best choice, by dynamic programming over what is used: of all partial choices that use the same, the best is kept, and
 * only where, by the prices of the relaxation, it can still become better than what is known (Dyer, Kayal and Walker,
 * European Journal of Operational Research 16(3), 1984, use such bounds). It gives up where that takes too many steps.
 */
final class ExactChoice {
    /** Some milliseconds. */
    private static final int MOST_STEPS = 60_000;
    /** Each makes a state and looks it up. */
    private static final int NANOSECONDS = 100;

    private static final double EPSILON = 1e-9;

    private final Choices problem;
    private final double known;
    /** By kind, the options that the best choice may hold, by their place, and what each loses against the kind's best. */
    private final List<List<Candidate>> candidates = new ArrayList<>();

    private final Relaxation relaxed;
    private final long[] capacity;
    private final Steps work;

    private record Candidate(int option, double loss) {}

    /** Some have chosen; each state knows the one before the last of them did. */
    private static final class State {
        private final long[] used;
        /** What all chosen so far lose against the bound. */
        private final double lost;

        private final @Nullable State before;
        private final int kind;
        private final int option;

        State(long[] used, double lost, @Nullable State before, int kind, int option) {
            this.used = used;
            this.lost = lost;
            this.before = before;
            this.kind = kind;
            this.option = option;
        }
    }

    /** What is used, as a key. */
    private static final class Used {
        private final long[] amounts;

        Used(long[] amounts) {
            this.amounts = amounts;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Used that && Arrays.equals(amounts, that.amounts);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(amounts);
        }
    }

    private ExactChoice(Choices problem, Relaxation relaxed, double known, Steps work) {
        this.problem = problem;
        this.known = known;
        this.relaxed = relaxed;
        this.work = work;
        this.capacity = problem.capacity();
        for (Choices.Kind kind : problem.kinds()) {
            candidates.add(candidates(kind.options()));
        }
    }

    /**
     * @param known what a choice is worth that is known
     * @param work what may be done
     * @return one that is worth more, and as much as any; empty where there is none, or finding it took too long
     */
    static Optional<int[][]> better(Choices problem, Relaxation relaxed, double known, Steps work) {
        if (relaxed.bound() - known <= EPSILON * (1 + Math.abs(known))) {
            return Optional.empty();
        }
        return new ExactChoice(problem, relaxed, known, work).search();
    }

    private List<Candidate> candidates(List<Choices.Option> options) {
        double best = Double.NEGATIVE_INFINITY;
        for (Choices.Option option : options) {
            best = Math.max(best, relaxed.reduced(option));
        }
        List<Candidate> kept = new ArrayList<>();
        for (int o = 0; o < options.size(); o++) {
            double loss = best - relaxed.reduced(options.get(o));
            if (canBeBetter(loss)) {
                kept.add(new Candidate(o, loss));
            }
        }
        return kept;
    }

    private boolean canBeBetter(double lost) {
        return relaxed.bound() - lost > known + EPSILON;
    }

    private Optional<int[][]> search() {
        List<Integer> order = new ArrayList<>();
        for (int k = 0; k < candidates.size(); k++) {
            order.add(k);
        }
        // Those that have no choice multiply nothing.
        order.sort(Comparator.comparingInt(k -> candidates.get(k).size()));
        long[] others = new long[problem.resources()];
        order.forEach(kind -> add(others, least(kind), problem.kind(kind).count()));
        List<State> states = List.of(new State(new long[others.length], 0, null, -1, 0));
        int steps = 0;
        for (int kind : order) {
            for (int i = problem.kind(kind).count(); i > 0; i--) {
                add(others, least(kind), -1);
                Map<Used, State> next = new LinkedHashMap<>();
                for (State state : states) {
                    work.take((long) NANOSECONDS * candidates.get(kind).size());
                    for (Candidate candidate : candidates.get(kind)) {
                        steps++;
                        keep(next, next(state, kind, candidate), others);
                    }
                }
                if (steps > MOST_STEPS || !work.areLeft()) {
                    return Optional.empty();
                }
                states = List.copyOf(next.values());
            }
        }
        return states.stream()
                .filter(state -> value(state) > known + EPSILON)
                .max(Comparator.comparingDouble(this::value))
                .map(this::counts);
    }

    /** What one of a kind takes at least of each resource. */
    private long[] least(int kind) {
        long[] least = new long[problem.resources()];
        Arrays.fill(least, Long.MAX_VALUE);
        for (Candidate candidate : candidates.get(kind)) {
            for (int i = 0; i < least.length; i++) {
                least[i] = Math.min(
                        least[i], problem.option(kind, candidate.option()).cost(i));
            }
        }
        return least;
    }

    private static void add(long[] sum, long[] more, int times) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += times * more[i];
        }
    }

    private State next(State state, int kind, Candidate candidate) {
        long[] used = state.used.clone();
        for (int i = 0; i < used.length; i++) {
            used[i] += problem.option(kind, candidate.option()).cost(i);
        }
        return new State(used, state.lost + candidate.loss(), state, kind, candidate.option());
    }

    /** @param others what those that have not chosen yet take at least */
    private void keep(Map<Used, State> states, State state, long[] others) {
        if (!canBeBetter(state.lost)) {
            return;
        }
        for (int i = 0; i < others.length; i++) {
            if (state.used[i] + others[i] > capacity[i]) {
                return;
            }
        }
        states.merge(new Used(state.used), state, (a, b) -> b.lost < a.lost ? b : a);
    }

    /** Of a state in which all have chosen: what is left over is lost too. */
    private double value(State state) {
        double value = relaxed.bound() - state.lost;
        for (int i = 0; i < capacity.length; i++) {
            value -= relaxed.price(i) * (capacity[i] - state.used[i]);
        }
        return value;
    }

    private int[][] counts(State last) {
        int[][] counts = Chosen.empty(problem);
        for (State state = last; state.before != null; state = state.before) {
            counts[state.kind][state.option]++;
        }
        return counts;
    }
}
