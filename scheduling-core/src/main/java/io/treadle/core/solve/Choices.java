// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;

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

        /** Whether it is worth as much or more and takes no more of anything. */
        boolean isAsGoodAs(Option other) {
            boolean good = value >= other.value;
            for (int i = 0; i < cost.length && good; i++) {
                good = cost[i] <= other.cost[i];
            }
            return good;
        }
    }

    int resources() {
        return capacity.length;
    }

    /** The best choice that is found, and what none can exceed. */
    public Chosen solve() {
        return Chosen.of(this);
    }
}
