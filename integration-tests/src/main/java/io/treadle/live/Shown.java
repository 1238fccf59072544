// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.core.wire.ProfileRecord;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.bench.synergy.Section;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a live bench as people and {@code summary.json} get it.
 *
 * @param title of the page
 * @param opening what matters most, in a sentence
 * @param machine as it was before the cluster started
 * @param curves names of all curves in the sections' plots
 * @param failed jobs that did not succeed, a line each
 * @param missed a line for each goal that was missed
 * @param profiles by model tag
 * @param tables whole text by file name
 */
public record Shown(
        String title,
        String opening,
        Machine machine,
        List<Section> sections,
        List<String> curves,
        List<Compared> compared,
        List<String> failed,
        List<String> missed,
        Map<String, ProfileRecord> profiles,
        Map<String, String> tables) {
    String on() {
        return "On " + machine.inWords() + ".";
    }
}
