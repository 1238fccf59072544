// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.bench.Machine;
import java.util.List;

/**
 * All that was found.
 *
 * @param machine where
 * @param seed the first seed
 * @param seeds how many
 * @param requests of each run
 * @param loads variants at each load on {@link CompassBench#WORKERS} workers
 * @param few ours on 4 workers
 * @param twice hash on 8
 * @param stale ours at growing staleness, at the same load
 * @param ablations at the highest load
 */
record CompassResult(
        Machine machine,
        long seed,
        int seeds,
        int requests,
        List<List<Cell>> loads,
        Cell few,
        Cell twice,
        List<Cell> stale,
        List<Cell> ablations,
        Halving many,
        List<DecisionCost> decisions) {
    CompassResult {
        loads = loads.stream().map(List::copyOf).toList();
        stale = List.copyOf(stale);
        ablations = List.copyOf(ablations);
        decisions = List.copyOf(decisions);
    }
}
