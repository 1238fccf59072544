// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One policy at one load on one size of the cluster.
 *
 * @param load null where submissions are as in the trace
 * @param nodes of the cluster
 * @param seeds a row for each seed
 */
public record SweepCell(@Nullable Double load, int nodes, String policy, List<SweepRow> seeds) {
    private record Key(@Nullable Double load, int nodes, String policy) {}

    public SweepCell {
        seeds = List.copyOf(seeds);
    }

    /** The rows of a sweep by all but their seeds, in their order. */
    public static List<SweepCell> of(List<SweepRow> rows) {
        Map<Key, List<SweepRow>> cells = new LinkedHashMap<>();
        rows.forEach(row -> cells.computeIfAbsent(
                        new Key(row.load(), row.nodes(), row.summary().policy()), key -> new ArrayList<>())
                .add(row));
        return cells.entrySet().stream()
                .map(cell -> new SweepCell(
                        cell.getKey().load(),
                        cell.getKey().nodes(),
                        cell.getKey().policy(),
                        cell.getValue()))
                .toList();
    }
}
