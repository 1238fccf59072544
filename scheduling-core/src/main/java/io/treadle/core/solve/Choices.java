// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The multiple-choice knapsack with several resources: everyone gets exactly one of the options of its kind, and all
 * together no more than there is. Those of one kind are alike, so that only how many take which option counts.
 */
public final class Choices {
    private final List<Kind> kinds;
    private final long[] capacity;

    /**
     * @param capacity what there is of each resource beyond what everyone's first option takes
     * @throws IllegalArgumentException if there is less than nothing, or an option names another number of costs
     */
    public Choices(List<Kind> kinds, long... capacity) {
        this.kinds = List.copyOf(kinds);
        this.capacity = capacity.clone();
        for (long one : capacity) {
            checkArgument(one >= 0, "capacity is %s, must be 0 or more", one);
        }
        for (Kind kind : kinds) {
            for (Option option : kind.options()) {
                checkArgument(
                        option.cost.length == capacity.length,
                        "an option names %s costs, must name one for each of %s resources",
                        option.cost.length,
                        capacity.length);
            }
        }
    }

    /**
     * So many that are alike.
     *
     * @param count how many they are
     * @param options the first takes nothing and is worth nothing: it is what the others are compared to
     */
    public record Kind(int count, List<Option> options) {
        public Kind {
            options = List.copyOf(options);
            checkArgument(!options.isEmpty() && options.get(0).isNothing(), "the first option must be nothing");
        }
    }

    /** What one gets beyond the first option. */
    public static final class Option {
        private final double value;
        private final long[] cost;

        /**
         * @param value what it brings; below 0 where it is worse
         * @param cost of each resource; below 0 where it takes less
         */
        public Option(double value, long... cost) {
            this.value = value;
            this.cost = cost.clone();
        }

        public double value() {
            return value;
        }

        /** What it takes of a resource, by its place. */
        public long cost(int resource) {
            return cost[resource];
        }

        private boolean isNothing() {
            return value == 0 && Arrays.stream(cost).allMatch(one -> one == 0);
        }

        @Override
        public String toString() {
            return value + " for " + Arrays.toString(cost);
        }
    }

    public List<Kind> kinds() {
        return kinds;
    }

    /** What there is of each resource. */
    public long[] capacity() {
        return capacity.clone();
    }

    Kind kind(int place) {
        return kinds.get(place);
    }

    /** Of a kind, by their places. */
    Option option(int kind, int option) {
        return kinds.get(kind).options().get(option);
    }

    int resources() {
        return capacity.length;
    }

    /** The same without resources of which there is enough whatever is chosen. */
    Choices scarce() {
        long[] most = new long[capacity.length];
        for (Kind kind : kinds) {
            for (int i = 0; i < most.length; i++) {
                long here = 0;
                for (Option option : kind.options()) {
                    here = Math.max(here, option.cost[i]);
                }
                most[i] += kind.count() * here;
            }
        }
        int[] kept = IntStream.range(0, most.length)
                .filter(i -> most[i] > capacity[i])
                .toArray();
        return kept.length == most.length
                ? this
                : new Choices(
                        kinds.stream()
                                .map(kind -> new Kind(
                                        kind.count(),
                                        kind.options().stream()
                                                .map(o -> new Option(o.value, only(o.cost, kept)))
                                                .toList()))
                                .toList(),
                        only(capacity, kept));
    }

    private static long[] only(long[] all, int[] kept) {
        return Arrays.stream(kept).mapToLong(i -> all[i]).toArray();
    }

    /** The best choice that is found, and what none can exceed. */
    public Chosen solve() {
        return solve(Long.MAX_VALUE);
    }

    /**
     * The best choice that is found until then, and what none can exceed.
     *
     * @param steps the most that is done, about as many as nanoseconds; each kind always chooses once, at the prices that are
     *     known by then
     */
    public Chosen solve(long steps) {
        return Chosen.of(scarce(), new Steps(steps));
    }

    /** One look at what each option takes. */
    long size() {
        long options = 0;
        for (Kind kind : kinds) {
            options += kind.options().size();
        }
        return options * (1 + capacity.length);
    }
}
