// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.rm.conf.BudgetSetting;
import java.util.Set;

/** The scheduler's queues and what their settings say of power. */
public interface BudgetQueues {
    /** Full paths of all queues, parents too. */
    Set<String> paths();

    /** A queue's own settings. */
    BudgetSetting setting(String path);

    /** Paths that settings of budgets name, whether there are such queues or not; templates are left out. */
    Set<String> named();
}
