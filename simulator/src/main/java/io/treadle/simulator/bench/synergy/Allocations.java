// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.List;

/** The allocations that are compared. */
final class Allocations {
    static final String PROPORTIONAL = "proportional";
    static final String GREEDY = "synergy-greedy";
    static final String TUNE = "synergy-tune";
    static final String BALANCED = "synergy-balanced";
    static final String OPT = "synergy-opt";

    /** In the order of columns and colours. */
    static final List<String> ALL = List.of(PROPORTIONAL, GREEDY, TUNE, BALANCED);

    /** Those of which most is asked. */
    static final List<String> MAIN = List.of(PROPORTIONAL, TUNE, BALANCED);

    private Allocations() {}
}
