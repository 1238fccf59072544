// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.report.Curves;
import java.util.List;

/**
 * A part of what is shown: on the page, in the terminal and in the documentation.
 *
 * @param id names it on the page
 * @param heading for people
 * @param text how to read it
 * @param rows the first is the head
 * @param plots of allocations by their place in {@link Allocations#ALL}; may be none
 */
public record Section(String id, String heading, String text, List<List<String>> rows, List<Curves> plots) {
    public Section {
        rows = List.copyOf(rows);
        plots = List.copyOf(plots);
    }
}
