// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.PowerBudgetsRecord;
import java.util.function.UnaryOperator;

/** Of a cluster without ZooKeeper: gone with the ResourceManager. */
public final class MemoryOverrides implements BudgetOverrides {
    private PowerBudgetsRecord record = PowerBudgetsRecord.EMPTY;

    @Override
    public synchronized PowerBudgetsRecord now() {
        return record;
    }

    @Override
    public synchronized void change(UnaryOperator<PowerBudgetsRecord> change) {
        record = change.apply(record);
    }

    @Override
    public boolean areKept() {
        return false;
    }
}
