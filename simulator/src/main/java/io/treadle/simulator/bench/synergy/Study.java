// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import java.util.List;
import java.util.Map;

/** A question, the runs that answer it, and the answer. */
interface Study {
    /** Allocations to be run, by setting. */
    Map<Setting, List<String>> wanted();

    List<Section> sections(Figures figures);

    /** What of it goes to {@code summary.json}. */
    List<Compared> compared(Figures figures);
}
