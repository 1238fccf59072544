// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.Part;
import io.treadle.core.policy.allocation.SynergyBalanced;
import io.treadle.simulator.engine.Plugins;
import java.util.Arrays;
import java.util.List;

/** The allocations that are compared. */
final class Allocations {
    static final String PROPORTIONAL = "proportional";
    static final String GREEDY = "synergy-greedy";
    static final String TUNE = "synergy-tune";
    static final String BALANCED = "synergy-balanced";
    static final String OPT = "synergy-opt";

    /** In the order of columns and colours. */
    static final List<String> ALL = List.of(PROPORTIONAL, GREEDY, TUNE, BALANCED, OPT);

    /** Those of which most is asked. */
    static final List<String> MAIN = List.of(PROPORTIONAL, TUNE, BALANCED);

    /** With those that lack a part of ours. */
    static final Plugins WITH_PARTS = new Plugins(
            List.of(),
            PolicyRegistry.BUILT_IN.withAllocations(Arrays.stream(Part.values())
                    .<Allocation>map(SynergyBalanced::without)
                    .toList()));

    /** Ours without a part of it. */
    static String without(Part part) {
        return SynergyBalanced.without(part).name();
    }

    private Allocations() {}
}
