// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.result.SeedMean;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that was found.
 *
 * @param machine where
 * @param seed the first seed
 * @param seeds how many
 * @param jobs of each list
 */
record SmdResult(
        Machine machine,
        long seed,
        int seeds,
        int jobs,
        List<Online> online,
        List<Overload> overload,
        Sizes sizes,
        Knapsacks knapsacks,
        List<RoundCost> rounds) {
    SmdResult {
        online = List.copyOf(online);
        overload = List.copyOf(overload);
        rounds = List.copyOf(rounds);
    }

    /** Worth in that of Optimus over all loads and seeds, as a logarithm. */
    SeedMean logWorth(String policy) {
        Stream<Double> all = online.stream().flatMap(load -> load.logRatios(policy, OnlineRun::worth).stream());
        return SeedMean.of(List.copyOf(all.toList())).orElseThrow();
    }
}
