// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.util.List;

/**
 * All that came out.
 *
 * @param machine what rounds were timed on
 * @param seed the first
 * @param checked a sentence on the figures that the artifact gives too; empty where it gives none
 * @param wrong where ours deviate from those, a line each
 */
record SynergyResult(
        Machine machine,
        int seed,
        List<Section> sections,
        List<Compared> compared,
        String checked,
        List<String> wrong,
        Figures figures) {
    SynergyResult {
        sections = List.copyOf(sections);
        compared = List.copyOf(compared);
        wrong = List.copyOf(wrong);
    }
}
