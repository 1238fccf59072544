// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import java.util.List;

/**
 * How much is looked at.
 *
 * @param jobs of each list
 * @param loads jobs that come in an hour
 * @param overloads jobs that come at once
 * @param sized jobs whose sizes are compared with every size
 * @param knapsacks knapsacks that are compared with the best choice
 * @param rounds jobs of the rounds that are timed
 */
public record SmdSizes(
        int jobs, List<Double> loads, List<Integer> overloads, int sized, int knapsacks, List<Integer> rounds) {
    public static final SmdSizes USUAL =
            new SmdSizes(80, List.of(6.0, 10.0, 16.0), List.of(10, 20, 40, 80), 1000, 400, List.of(1000, 10_000));

    /** A look at all of it in seconds: of its figures none says anything. */
    public static final SmdSizes QUICK = new SmdSizes(10, List.of(10.0), List.of(10), 20, 10, List.of(50));

    public SmdSizes {
        loads = List.copyOf(loads);
        overloads = List.copyOf(overloads);
        rounds = List.copyOf(rounds);
    }
}
