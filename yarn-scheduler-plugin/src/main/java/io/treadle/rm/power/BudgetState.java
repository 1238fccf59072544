// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.budget.EnergyBudget;
import java.util.OptionalLong;

/**
 * An energy budget now.
 *
 * @param usedJoules in the window, or since the budget was set, J
 * @param windowEndMs when its window ends, ms since the epoch; empty where it has none
 * @param limitWatts what it comes to now, W; infinite where it is no limit in watts
 */
public record BudgetState(EnergyBudget budget, double usedJoules, OptionalLong windowEndMs, double limitWatts) {
    /** Energy that may be used in the window or in all, J; infinite where the budget is not one of energy. */
    public double allowedJoules() {
        return switch (budget.kind()) {
            case WINDOW, TOTAL -> budget.amount() * EnergyBudget.JOULES_PER_KWH;
            default -> Double.POSITIVE_INFINITY;
        };
    }

    boolean isUsedUp() {
        return usedJoules >= allowedJoules();
    }
}
