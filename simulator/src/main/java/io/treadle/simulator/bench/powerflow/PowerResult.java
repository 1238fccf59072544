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
 * @param jobs of each list that is drawn
 */
record PowerResult(Machine machine, long seed, int seeds, int jobs, List<Load> loads, PlanCost cost) {
    PowerResult {
        loads = List.copyOf(loads);
    }

    /**
     * What came of one work.
     *
     * @param work what was run
     * @param rivals ours first, then by noisy measurements, then with empty nodes off
     * @param frontiers by rival, then by seed
     */
    record Load(PowerWork work, List<Rival> rivals, List<List<Frontier>> frontiers) {
        /** The place of ours with empty nodes off. */
        static final int OURS_OFF = 2;

        /** The place of the first rival that is not ours. */
        static final int FIRST_OTHER = 3;

        Load {
            rivals = List.copyOf(rivals);
            frontiers = List.copyOf(frontiers);
        }

        /** Ours beside one of the rivals. */
        Against against(int rival) {
            int ours = rivals.get(rival).besideOff() ? OURS_OFF : 0;
            return Against.of(frontiers.get(ours), frontiers.get(rival));
        }

        /** Ours by noisy measurements beside one of the rivals. */
        Against noisyAgainst(int rival) {
            return Against.of(frontiers.get(1), frontiers.get(rival));
        }
    }
}
