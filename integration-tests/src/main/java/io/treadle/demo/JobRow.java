// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;

/**
 * One job's line in the live table.
 *
 * @param gang {@code 2/2}: tasks that run of tasks asked for
 * @param nodes short names of the nodes that it runs on
 * @param state {@code arrives}, {@code starting}, {@code waiting}, {@code profiling}, {@code running}, {@code ending},
 *     {@code done}, {@code failed} or {@code killed}
 * @param firstVcores vcores that it began with; 0 before
 * @param vcores vcores that it holds, or held last
 * @param speeds samples a second over the last while, oldest first
 * @param done part of its samples that is done, 0 to 1
 * @param note why it waits, or what it does
 */
public record JobRow(
        String name,
        String gang,
        List<String> nodes,
        String state,
        int firstVcores,
        int vcores,
        List<Double> speeds,
        double done,
        String note) {
    public JobRow {
        nodes = List.copyOf(nodes);
        speeds = List.copyOf(speeds);
    }

    String vcoresText() {
        if (vcores == 0) {
            return "–";
        }
        return firstVcores == vcores ? Integer.toString(vcores) : firstVcores + " → " + vcores;
    }

    double samplesPerSecond() {
        return speeds.isEmpty() ? 0 : speeds.get(speeds.size() - 1);
    }
}
