// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.PowerBudgetsRecord;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** Budgets that administrators have set while the ResourceManager ran. */
public interface BudgetOverrides {
    PowerBudgetsRecord now();

    /** @throws IOException if they cannot be kept now; nothing is changed then */
    void change(UnaryOperator<PowerBudgetsRecord> change) throws IOException;

    /** Whether they outlive the ResourceManager. */
    boolean areKept();
}
