// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.StandingClock;
import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.power.BudgetQueues;
import io.treadle.rm.power.EnergyUse;
import io.treadle.rm.power.GridCarbon;
import io.treadle.rm.power.MemoryOverrides;
import io.treadle.rm.power.PowerAccounts;
import io.treadle.rm.power.PowerBudgets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

/** Which gangs a used-up energy budget keeps from waking nodes. */
class HeldBackTest {
    private static final BudgetQueues QUEUES = new BudgetQueues() {
        @Override
        public Set<String> paths() {
            return Set.of("root.ml");
        }

        @Override
        public BudgetSetting setting(String path) {
            return BudgetSetting.NONE;
        }

        @Override
        public Set<String> named() {
            return Set.of();
        }
    };

    private final StandingClock clock = new StandingClock();
    private final PowerAccounts accounts = new PowerAccounts(application -> Optional.empty(), clock);
    private final Gang gang = new Gang(
            ApplicationId.newInstance(1, 1), SchedulerHarness.gang(1, 1, 1, 64), "root.ml", "", "ada", "job", 0);

    private void used(long millijoules) {
        NodePower power = new NodePower(500, "model", 0, millijoules, 0, Map.of(), 0);
        NodeRecord.Device gpu = new NodeRecord.Device(
                "GPU-0", 0, "A100", 40_960, true, NodeRecord.Health.OK, 50, 4000, 0, 0, 30, 0, List.of());
        accounts.seen("n1:1", new NodeRecord("n1:1", 1, List.of(gpu), Optional.of(power)));
    }

    private PowerBudgets budgets(String budget) {
        return new PowerBudgets(
                new BudgetSetting(Optional.empty(), EnergyBudget.parse(budget)),
                QUEUES,
                new MemoryOverrides(),
                accounts::draw,
                new EnergyUse(accounts, new GridCarbon(""), clock),
                () -> {});
    }

    private boolean isHeldBackUnder(String policy, PowerBudgets budgets) {
        Map<String, String> settings = Map.of("yarn.scheduler.capacity.root.ml." + QueueSettings.POLICY, policy);
        return SleepParts.isHeldBack(gang.queue(), queue -> QueueSettings.policy(queue, settings::get), budgets);
    }

    @Test
    void onlyPoliciesThatKeepToBudgetsHoldBack() {
        PowerBudgets window = budgets("window:100/24h");
        PowerBudgets total = budgets("0.1 kWh");
        used(0);
        assertFalse(isHeldBackUnder("powerflow", window));
        assertFalse(isHeldBackUnder("powerflow", total));
        used(400_000_000_000L);
        assertTrue(isHeldBackUnder("powerflow", window));
        assertFalse(isHeldBackUnder("fifo", window));
        assertFalse(isHeldBackUnder("powerflow", total), "its jobs go on with what takes least energy");
    }
}
