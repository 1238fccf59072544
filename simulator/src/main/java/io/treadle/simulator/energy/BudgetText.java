// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import io.treadle.core.budget.EnergyBudget;
import java.util.Locale;

/** A budget as people write it. */
public final class BudgetText {
    private BudgetText() {}

    /** What {@link EnergyBudget#parse} makes this budget of. */
    public static String of(EnergyBudget budget) {
        if (budget.kind() == EnergyBudget.Kind.NONE) {
            return "none";
        }
        return budget.kind().name().toLowerCase(Locale.ROOT) + ":" + PowerText.plain(budget.amount())
                + (budget.kind() == EnergyBudget.Kind.WINDOW ? "/" + PowerText.plain(budget.hours()) + "h" : "");
    }
}
