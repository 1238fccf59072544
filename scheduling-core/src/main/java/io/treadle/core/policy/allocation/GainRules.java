// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import java.util.Optional;
import java.util.Set;

/**
 * How leftovers are handed out.
 *
 * @param without what is not done of the usual
 * @param optimum how jobs count where the best sizes are looked for before steps are taken; empty for steps alone
 */
record GainRules(Set<Part> without, Optional<Weighting> optimum) {
    static final GainRules STEPS = new GainRules(Set.of(), Optional.empty());

    GainRules {
        without = Set.copyOf(without);
    }

    static GainRules optimal(Weighting weighting) {
        return new GainRules(Set.of(), Optional.of(weighting));
    }

    boolean has(Part part) {
        return !without.contains(part);
    }
}
