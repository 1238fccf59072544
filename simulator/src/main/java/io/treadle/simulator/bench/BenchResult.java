// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.util.List;

/**
 * All that was measured.
 *
 * @param machine where
 * @param seed of what was drawn
 * @param known lists that others ran too, or as many jobs
 * @param large the large list under several policies
 * @param weighed what of the heap lives as the jobs of the large list end, under the first of them
 * @param byJobs cost over the number of jobs, list by list under one policy after the other
 * @param byNodes cost over the number of nodes, likewise
 * @param missing what could not be measured, a line each
 */
record BenchResult(
        Machine machine,
        long seed,
        List<BenchRow> known,
        List<BenchRow> large,
        Probed weighed,
        List<BenchRow> byJobs,
        List<BenchRow> byNodes,
        List<String> missing) {
    BenchResult {
        known = List.copyOf(known);
        large = List.copyOf(large);
        byJobs = List.copyOf(byJobs);
        byNodes = List.copyOf(byNodes);
        missing = List.copyOf(missing);
    }
}
