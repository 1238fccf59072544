// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The multiple-choice knapsack with several resources: everyone gets exactly one of the options of its kind, and all
 * together no more than there is. Those of one kind are alike, so that only how many take which option counts.
 *
 * @param capacity what there is of each resource beyond what everyone's first option takes
 */
public record Choices(List<Kind> kinds, long... capacity) {
    public Choices {
        kinds = List.copyOf(kinds);
        capacity = capacity.clone();
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

    /**
     * What one gets beyond the first option.
     *
     * @param value what it brings; below 0 where it is worse
     * @param cost of each resource; below 0 where it takes less
     */
    public record Option(double value, long... cost) {
        private boolean isNothing() {
            boolean nothing = value == 0;
            for (long one : cost) {
                nothing &= one == 0;
            }
            return nothing;
        }
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

    int resources() {
        return capacity.length;
    }

    /** The best choice that is found, and what none can exceed. */
    public Chosen solve() {
        return Chosen.of(scarce());
    }
}
