// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.rm.StandingClock;
import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.PowerLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PowerBudgetsTest {
    private static final Set<String> PATHS =
            new TreeSet<>(List.of("root", "root.ml", "root.ml.a", "root.ml.b", "root.mlx", "root.other"));

    private final Map<String, BudgetSetting> settings = new HashMap<>();
    private BudgetSetting clusterSetting = BudgetSetting.NONE;
    private final StandingClock clock = new StandingClock();
    private final PowerAccounts accounts = new PowerAccounts(Records.owners(), clock);
    private final EnergyUse use = new EnergyUse(accounts, new GridCarbon(""), clock);
    /** 10 kW at most, 2 kW idle; the jobs of two queues draw. */
    private ClusterDraw draw = new ClusterDraw(
            4000, 10_000, 2000, Map.of("root.ml.a", 900.0, "root.ml.b", 300.0, "root.mlx", 50.0), Map.of(), List.of());

    private int changes;
    private final BudgetOverrides overrides = new MemoryOverrides();

    private PowerBudgets budgets() {
        BudgetQueues queues = new BudgetQueues() {
            @Override
            public Set<String> paths() {
                return PATHS;
            }

            @Override
            public BudgetSetting setting(String path) {
                return settings.getOrDefault(path, BudgetSetting.NONE);
            }

            @Override
            public Set<String> named() {
                return settings.keySet();
            }
        };
        return new PowerBudgets(clusterSetting, queues, overrides, () -> draw, use, () -> changes++);
    }

    private void set(String path, String value) {
        settings.put(path, new BudgetSetting(PowerLimit.parse(path, value), EnergyBudget.NONE));
    }

    private void setCluster(String value) {
        clusterSetting = new BudgetSetting(PowerLimit.parse("cluster", value), EnergyBudget.NONE);
    }

    @Test
    void withoutBudgetsThereIsNoLimit() {
        assertEquals(OptionalDouble.empty(), budgets().clusterWatts());
        assertEquals(OptionalDouble.empty(), budgets().queueWatts("root.ml.a"));
        assertEquals(List.of(), budgets().warnings());
    }

    @Test
    void sharesAreOfThePeakOfTheParentAndOfTheCluster() {
        setCluster("70%");
        set("root.ml", "50%");
        set("root.ml.a", "50%");
        set("root.other", "8kW");
        assertEquals(OptionalDouble.of(7000), budgets().clusterWatts());
        assertEquals(OptionalDouble.of(3500), budgets().now().limitWatts("root.ml"));
        assertEquals(OptionalDouble.of(1750), budgets().now().limitWatts("root.ml.a"));
        assertEquals(OptionalDouble.of(3500), budgets().now().limitWatts("root.ml.b"));
        assertEquals(
                List.of("The power budget of queue root.other is 8,000 W, that of the cluster 7,000 W: the smaller one"
                        + " counts."),
                budgets().warnings());
    }

    @Test
    void shareOfAQueueWithoutAnyBudgetAboveIsOfThePeak() {
        set("root.ml", "30%");
        assertEquals(OptionalDouble.of(3000), budgets().now().limitWatts("root.ml.b"));
        draw = ClusterDraw.NOTHING;
        assertEquals(OptionalDouble.empty(), budgets().queueWatts("root.ml.b"));
        assertTrue(budgets().warnings().get(0).contains("30 % of the cluster's peak, which is not known"));
    }

    /** 2 kW for all below root.ml: root.ml.a draws 900 W and root.ml.b 300 W of it. */
    @Test
    void whatSiblingsDrawIsTakenOffWhatTheyShare() {
        set("root.ml", "2000");
        assertEquals(OptionalDouble.of(1700), budgets().queueWatts("root.ml.a"));
        assertEquals(OptionalDouble.of(1100), budgets().queueWatts("root.ml.b"));
        assertEquals(OptionalDouble.of(2000), budgets().queueWatts("root.ml"));
        assertEquals(OptionalDouble.empty(), budgets().queueWatts("root.mlx"));
        set("root.ml.a", "1000");
        assertEquals(OptionalDouble.of(1000), budgets().queueWatts("root.ml.a"));
        set("root.ml", "600");
        assertEquals(OptionalDouble.of(300), budgets().queueWatts("root.ml.a"));
        assertEquals(OptionalDouble.of(300), budgets().queueWatts("root.ml.b"), "no less than its part");
    }

    /** The floor: the larger of a quarter of 10 kW, and 2 kW and a tenth of the other 8. */
    @Test
    void clusterBudgetBelowWhatIdleNodesDrawIsRaisedAndSaid() {
        setCluster("2.5kW");
        assertEquals(OptionalDouble.of(2800), budgets().clusterWatts());
        assertEquals(
                List.of("The cluster's power budget is 2,500 W, too little for its nodes, which draw 2,000 W idle and"
                        + " 10,000 W at most: 2,800 W count, with which jobs can run. To use less, take nodes out."),
                budgets().warnings());
        setCluster("2800");
        assertEquals(OptionalDouble.of(2800), budgets().clusterWatts());
        assertEquals(List.of(), budgets().warnings());
    }

    @Test
    void contradictionsAreNamed() {
        set("root.ml", "1000");
        set("root.ml.a", "1200");
        set("root.ml.b", "500");
        set("root.gone", "700");
        assertEquals(OptionalDouble.of(1000), budgets().now().limitWatts("root.ml.a"));
        assertEquals(
                List.of(
                        "The power budget of queue root.ml.a is 1,200 W, that of queue root.ml above it 1,000 W: the"
                                + " smaller one counts.",
                        "The power budgets below queue root.ml add up to 1,700 W, its own is 1,000 W: they share that.",
                        "A power budget is set by a setting for queue root.gone, and there is no such queue: it means"
                                + " nothing."),
                budgets().warnings());
    }

    @Test
    void administratorsOverrideSettingsUntilTheyLeaveThemAlone() throws Exception {
        setCluster("9000");
        set("root.ml", "1000");
        PowerBudgets budgets = budgets();
        assertFalse(budgets.setCluster(Optional.of(OptionalDouble.of(5000))));
        budgets.setQueue("root.ml", Optional.of(OptionalDouble.empty()));
        budgets.setQueue("root.other", Optional.of(OptionalDouble.of(44)));
        assertEquals(OptionalDouble.of(5000), budgets.clusterWatts());
        assertEquals(OptionalDouble.empty(), budgets.queueWatts("root.ml"));
        assertEquals(OptionalDouble.of(44), budgets.queueWatts("root.other"));
        assertEquals(3, changes);
        assertTrue(budgets.warnings().get(0).contains("has no ZooKeeper to keep it"));
        budgets.setCluster(Optional.empty());
        budgets.setQueue("root.ml", Optional.empty());
        budgets.setQueue("root.other", Optional.empty());
        assertEquals(OptionalDouble.of(9000), budgets.clusterWatts());
        assertEquals(OptionalDouble.of(1000), budgets.queueWatts("root.ml"));
        assertEquals(List.of(), budgets.warnings());
    }

    @Test
    void shareOfTheClusterWaitsUntilThePeakIsKnown() {
        setCluster("50%");
        draw = ClusterDraw.NOTHING;
        assertEquals(OptionalDouble.empty(), budgets().clusterWatts());
        assertTrue(budgets().warnings().get(0).startsWith("The cluster's power budget is 50 % of its peak"));
        setCluster("500");
        assertEquals(OptionalDouble.of(500), budgets().clusterWatts());
    }

    @Test
    void queuesThatStartTogetherShareWhatIsAboveThem() {
        set("root.ml", "1000");
        draw = ClusterDraw.NOTHING;
        assertEquals(OptionalDouble.of(1000), budgets().queueWatts("root.ml.a"));
        draw = draw.withQueues(Map.of("root.ml.a", 900.0, "root.ml.b", 900.0));
        assertEquals(OptionalDouble.of(500), budgets().queueWatts("root.ml.a"));
        assertEquals(OptionalDouble.of(500), budgets().queueWatts("root.ml.b"));
    }
}
