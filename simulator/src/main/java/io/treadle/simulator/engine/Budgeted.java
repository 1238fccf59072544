// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.cluster.PowerView;

/** What a budget says by what has been drawn. */
final class Budgeted {
    private final BudgetKeeper keeper;
    private final PowerView nodes;
    private final PowerMeter meter;

    Budgeted(BudgetKeeper keeper, PowerView nodes, PowerMeter meter) {
        this.keeper = keeper;
        this.nodes = nodes;
        this.meter = meter;
    }

    PowerView at(long nowMs) {
        return keeper.at(nowMs, meter.joules(), nodes);
    }
}
