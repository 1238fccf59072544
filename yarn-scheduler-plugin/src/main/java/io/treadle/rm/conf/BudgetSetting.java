// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import io.treadle.core.budget.EnergyBudget;
import java.util.Optional;

/**
 * What settings say of the cluster's budgets or of a queue's; both count.
 *
 * @param watts what may be drawn; empty for no limit
 * @param energy what may be used over time
 */
public record BudgetSetting(Optional<PowerLimit> watts, EnergyBudget energy) {
    /** Nothing is limited. */
    public static final BudgetSetting NONE = new BudgetSetting(Optional.empty(), EnergyBudget.NONE);

    /** @throws IllegalArgumentException if a value cannot be used; the message names key, value and what would be right */
    static BudgetSetting parse(String wattsKey, String watts, String energyKey, String energy) {
        try {
            return new BudgetSetting(PowerLimit.parse(wattsKey, watts), EnergyBudget.parse(energy.trim()));
        } catch (IllegalArgumentException e) {
            if (String.valueOf(e.getMessage()).startsWith(wattsKey)) {
                throw e;
            }
            throw new IllegalArgumentException(energyKey + ": " + e.getMessage(), e);
        }
    }
}
