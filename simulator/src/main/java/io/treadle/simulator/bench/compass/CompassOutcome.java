// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import java.util.List;

/**
 * What a terminal is told.
 *
 * @param tables of all figures
 * @param missed a line for each simulated goal that was missed
 */
public record CompassOutcome(String tables, List<String> missed) {
    public CompassOutcome {
        missed = List.copyOf(missed);
    }
}
