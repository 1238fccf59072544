// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.cluster.PowerView;

/** What a budget says by what has been drawn. */
final class Budgeted {
    private final BudgetKeeper keeper;
    private final PowerView nodes;
    private final PowerMeter meter;
    private final Deadlock deadlock;

    Budgeted(BudgetKeeper keeper, PowerView nodes, PowerMeter meter, Deadlock deadlock) {
        this.deadlock = deadlock;
        this.keeper = keeper;
        this.nodes = nodes;
        this.meter = meter;
    }

    Deadlock deadlock() {
        return deadlock;
    }

    /** @param part of the limit that is for those who ask, 0 to 1 */
    PowerView at(long nowMs, double part) {
        PowerView all = keeper.at(nowMs, meter.joules(), nodes);
        meter.limitedTo(all.limitWatts());
        return all.withLimit(part(part, all.limitWatts())).withJoulesLeft(part(part, all.joulesLeft()));
    }

    private static double part(double part, double all) {
        return Double.isInfinite(all) ? all : part * all;
    }
}
