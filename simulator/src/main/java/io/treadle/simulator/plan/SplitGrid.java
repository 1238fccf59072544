// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * All splits in which what queues with goals have are multiples of a step, those that give them least together first.
 *
 * @param step percents; empty where there are too many splits, or none, with each
 */
record SplitGrid(OptionalInt step, List<Split> splits) {
    private static final int MOST = 200;
    private static final int[] STEPS = {1, 2, 5, 10, 20, 25};

    SplitGrid {
        splits = List.copyOf(splits);
    }

    /** The finest of which there are not too many. */
    static SplitGrid of(Splits splits) {
        for (int step : STEPS) {
            List<int[]> wants = new ArrayList<>();
            add(splits, step, new int[splits.wanted()], 0, 0, wants);
            if (!wants.isEmpty() && wants.size() <= MOST) {
                wants.sort(Comparator.comparingInt(each -> Arrays.stream(each).sum()));
                return new SplitGrid(
                        OptionalInt.of(step),
                        wants.stream()
                                .flatMap(each -> splits.split(each).stream())
                                .toList());
            }
        }
        return new SplitGrid(OptionalInt.empty(), List.of());
    }

    private static void add(Splits splits, int step, int[] wants, int i, int sum, List<int[]> all) {
        if (i == wants.length) {
            if (sum >= splits.leastTotal() && splits.split(wants).isPresent()) {
                all.add(wants.clone());
            }
            return;
        }
        for (int want = step; sum + want <= splits.mostTotal() && all.size() <= MOST; want += step) {
            wants[i] = want;
            add(splits, step, wants, i + 1, sum + want, all);
        }
    }
}
