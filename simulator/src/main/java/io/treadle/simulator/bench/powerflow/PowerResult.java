// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.bench.Machine;
import java.util.List;

/**
 * All that was found.
 *
 * @param machine where
 * @param seed the first seed
 * @param seeds how many
 * @param jobs of each list
 */
record PowerResult(Machine machine, long seed, int seeds, int jobs, List<Load> loads, PlanCost cost) {
    PowerResult {
        loads = List.copyOf(loads);
    }

    /**
     * What came of one load.
     *
     * @param perSecond jobs that come in a second
     * @param rivals ours first, then ours by noisy measurements
     * @param frontiers by rival, then by seed
     */
    record Load(double perSecond, List<Rival> rivals, List<List<Frontier>> frontiers) {
        Load {
            rivals = List.copyOf(rivals);
            frontiers = List.copyOf(frontiers);
        }

        /** Ours beside one of the rivals. */
        Against against(int rival) {
            return Against.of(frontiers.get(0), frontiers.get(rival));
        }

        /** Ours by noisy measurements beside one of the rivals. */
        Against noisyAgainst(int rival) {
            return Against.of(frontiers.get(1), frontiers.get(rival));
        }
    }
}
