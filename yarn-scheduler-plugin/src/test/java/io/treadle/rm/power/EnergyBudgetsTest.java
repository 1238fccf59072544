// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static io.treadle.rm.power.Records.ADA;
import static io.treadle.rm.power.Records.container;
import static io.treadle.rm.power.Records.counters;
import static io.treadle.rm.power.Records.gpu;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.wire.BudgetUseRecord;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.rm.StandingClock;
import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.PowerLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Budgets over time. The clock stands at midnight of a day of UTC; a cluster draws 1 kW idle and 10 kW at most. */
class EnergyBudgetsTest {
    private static final double KWH = 3.6e6;
    private static final int HOUR = 3600;

    private final StandingClock clock = new StandingClock();
    private PowerAccounts accounts = new PowerAccounts(Records.owners(), clock);
    private GridCarbon carbon = new GridCarbon("");
    private EnergyUse use = new EnergyUse(accounts, carbon, clock);
    private BudgetOverrides overrides = new MemoryOverrides();
    private final Map<String, BudgetSetting> settings = new HashMap<>();
    private BudgetSetting cluster = BudgetSetting.NONE;
    private ClusterDraw draw =
            new ClusterDraw(4000, 10_000, 1000, Map.of("root.ml.a", 900.0, "root.ml.b", 300.0), Map.of(), List.of());

    private BudgetsInForce now() {
        BudgetQueues queues = new BudgetQueues() {
            @Override
            public Set<String> paths() {
                return Set.of("root.ml", "root.ml.a", "root.ml.b");
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
        return new PowerBudgets(cluster, queues, overrides, () -> draw, use, () -> {}).now();
    }

    private static BudgetSetting energy(String budget) {
        return new BudgetSetting(Optional.empty(), EnergyBudget.parse(budget));
    }

    /** The node's GPUs have used so much since it started, all of it for a job of root.ml.a. */
    private void spent(double kwh) {
        accounts.seen("n1:1", record(kwh));
    }

    private static NodeRecord record(double kwh) {
        long millijoules = Math.round(kwh * KWH * 1000);
        NodePower power = counters(millijoules, 0, Map.of(container(ADA, 2), millijoules), 0);
        return new NodeRecord("n1:1", 1, List.of(gpu(0, 0, 400, container(ADA, 2))), Optional.of(power));
    }

    @Test
    void windowOfTheClusterIsWhatIsLeftOverWhatIsLeft() {
        cluster = energy("120 kWh/day");
        spent(0);
        assertEquals(5000, now().clusterWatts().orElseThrow(), 1e-6);
        assertFalse(now().isUsedUp("root.ml.a"));
        clock.set(12L * HOUR);
        spent(24);
        // 96 kWh for 12 hours: 8 kW.
        assertEquals(8000, now().clusterWatts().orElseThrow(), 1);
        BudgetState state = now().clusterEnergy().orElseThrow();
        assertEquals(24 * KWH, state.usedJoules(), 1);
        assertEquals(120 * KWH, state.allowedJoules(), 1);
        assertEquals(24L * 3_600_000, state.windowEndMs().orElseThrow());
        clock.set(23L * HOUR);
        spent(130);
        assertEquals(2500, now().clusterWatts().orElseThrow(), 1);
        assertTrue(now().isUsedUp("root.ml.a"), "the cluster's is its own");
        assertEquals(
                List.of("The energy budget of the cluster, 120 kWh in each day, is used up until 1970-01-02 00:00 UTC:"
                        + " 2,500 W count, with which jobs can run."),
                now().warnings());
        clock.set(25L * HOUR);
        assertTrue(now().clusterEnergy().orElseThrow().usedJoules() < KWH, "a new day");
    }

    @Test
    void hostsCountForTheCluster() {
        cluster = energy("100 kWh");
        accounts.seen("n1:1", Records.node(600, gpu(0, 100, 400)));
        now();
        for (int i = 1; i <= 60; i++) {
            clock.set(60L * i);
            accounts.seen("n1:1", Records.node(600, gpu(0, 100, 400)));
        }
        assertEquals(0.5 * KWH, now().clusterEnergy().orElseThrow().usedJoules(), 1);
    }

    @Test
    void queueThatHasUsedItsWindowWaitsAndASmallerBudgetInWattsCounts() {
        settings.put("root.ml", energy("24 kWh/day"));
        settings.put("root.ml.a", energy("6 kWh/day"));
        spent(0);
        assertEquals(1000, now().limitWatts("root.ml.b").orElseThrow(), 1e-6);
        assertEquals(250, now().limitWatts("root.ml.a").orElseThrow(), 1e-6);
        clock.set(12L * HOUR);
        spent(6);
        BudgetsInForce used = now();
        assertEquals(0, used.allowed("root.ml.a").jobsWatts().orElseThrow(), 1e-6);
        assertTrue(used.isUsedUp("root.ml.a"));
        assertFalse(used.isUsedUp("root.ml.b"));
        assertEquals(
                List.of(
                        "The energy budget of queue root.ml.a, 6 kWh in each day, is used up until 1970-01-02 00:00 UTC:"
                                + " its jobs wait."),
                used.warnings());
        // 18 of the 24 kWh are left for 12 hours.
        assertEquals(1500, used.limitWatts("root.ml.b").orElseThrow(), 1);
        clock.set(12L * HOUR + 1);
        settings.put("root.ml", new BudgetSetting(settings("700"), EnergyBudget.parse("24 kWh/day")));
        assertEquals(700, now().limitWatts("root.ml.b").orElseThrow(), 1);
    }

    private static Optional<PowerLimit> settings(String watts) {
        return PowerLimit.parse("key", watts);
    }

    @Test
    void totalIsSharedByQueuesThatDrawAndEndsAtNothing() {
        settings.put("root.ml", energy("10 kWh"));
        spent(0);
        assertEquals(5 * KWH, now().allowed("root.ml.a").joulesLeft(), 1);
        assertEquals(OptionalDouble.empty(), now().limitWatts("root.ml.a"));
        assertFalse(now().isUsedUp("root.ml.a"));
        spent(11);
        assertEquals(0, now().allowed("root.ml.a").joulesLeft(), 1);
        assertFalse(now().isUsedUp("root.ml.a"), "its jobs go on");
        assertEquals(
                List.of(
                        "The energy budget of queue root.ml, 10 kWh in all, is used up: jobs go on with what takes least"
                                + " energy. Maybe set a larger one."),
                now().warnings());
    }

    @Test
    void anotherAmountIsTheSameBudgetAndNoneBeginsAnew() throws Exception {
        settings.put("root.ml", energy("10 kWh"));
        spent(0);
        now();
        spent(4);
        overrides.change(r -> r.withQueueEnergy("root.ml", Optional.of("total:20")));
        assertEquals(4 * KWH, now().energy("root.ml").orElseThrow().usedJoules(), 1);
        overrides.change(r -> r.withQueueEnergy("root.ml", Optional.of("none")));
        assertTrue(now().energy("root.ml").isEmpty());
        overrides.change(r -> r.withQueueEnergy("root.ml", Optional.empty()));
        assertEquals(0, now().energy("root.ml").orElseThrow().usedJoules(), 1);
        overrides.change(r -> r.withQueueEnergy("root.ml", Optional.of("much")));
        assertEquals(
                EnergyBudget.parse("10 kWh"),
                now().energy("root.ml").orElseThrow().budget());
        assertTrue(now().warnings().get(0).startsWith("What was set for queue root.ml cannot be read"));
    }

    /** Half of the day is over when the budget is set: half of its energy is left for the other half. */
    @Test
    void windowThatHasBegunCountsAsUsedEvenly() {
        clock.set(12L * HOUR);
        cluster = energy("120 kWh/day");
        spent(900);
        assertEquals(5000, now().clusterWatts().orElseThrow(), 1e-6);
        assertEquals(60 * KWH, now().clusterEnergy().orElseThrow().usedJoules(), 1);
    }

    /** As much as nodes have counted in between is used, also where the ResourceManager was away. */
    @Test
    void anotherResourceManagerGoesOnWithWhatNodesHaveCountedSince() {
        settings.put("root.ml", energy("100 kWh"));
        spent(50);
        now();
        spent(60);
        now();
        BudgetUseRecord kept = use.record();
        restart(kept);
        assertEquals(10 * KWH, now().energy("root.ml").orElseThrow().usedJoules(), 1, "nodes are not read yet");
        spent(63);
        assertEquals(13 * KWH, now().energy("root.ml").orElseThrow().usedJoules(), 1);
        spent(64);
        assertEquals(14 * KWH, now().energy("root.ml").orElseThrow().usedJoules(), 1);
    }

    /** What a node counted for containers that it has forgotten is not spent a second time. */
    @Test
    void nodesThatForgetGiveNothingBack() {
        settings.put("root.ml", energy("100 kWh"));
        spent(0);
        now();
        spent(60);
        now();
        BudgetUseRecord kept = use.record();
        restart(kept);
        spent(1);
        assertEquals(60 * KWH, now().energy("root.ml").orElseThrow().usedJoules(), 1);
        spent(3);
        assertEquals(62 * KWH, now().energy("root.ml").orElseThrow().usedJoules(), 1);
        assertEquals(
                62 * KWH, requireNonNull(use.record().queues().get("root.ml")).usedJoules(), 1);
    }

    /** Nobody has asked for the budget before its record is written again. */
    @Test
    void whatIsNotAskedForYetStaysWrittenDown() {
        BudgetUseRecord kept =
                new BudgetUseRecord(Optional.of(new BudgetUseRecord.Use("total:500", 7, 3 * KWH, 3 * KWH)), Map.of());
        restart(kept);
        now();
        assertEquals(kept, use.record());
        cluster = energy("400 kWh");
        assertEquals(3 * KWH, now().clusterEnergy().orElseThrow().usedJoules(), 1);
    }

    private void restart(BudgetUseRecord kept) {
        accounts = new PowerAccounts(Records.owners(), clock);
        use = new EnergyUse(accounts, carbon, clock);
        use.restore(kept);
    }

    @Test
    void carbonFollowsTheGridAndWattsCountAloneWithoutIt(@TempDir Path folder) throws IOException {
        cluster = new BudgetSetting(settings("9000"), EnergyBudget.parse("4 kg/h"));
        assertEquals(OptionalDouble.of(9000), now().clusterWatts());
        assertTrue(now().warnings().get(0).contains("yarn.scheduler.treadle.power.carbon-file"));
        Path file = folder.resolve("grid.csv");
        Files.writeString(file, "timestamp,gramsPerKwh\n1970-01-01T00:00:00Z,500\n1970-01-01T01:00:00Z,1000\n");
        carbon = new GridCarbon(file.toString());
        carbon.refresh();
        use = new EnergyUse(accounts, carbon, clock);
        assertEquals(OptionalDouble.of(8000), now().clusterWatts());
        clock.set(HOUR);
        assertEquals(OptionalDouble.of(4000), now().clusterWatts());
        assertEquals(List.of(), now().warnings());
    }

    @Test
    void pricesOfQueuesAreTheirOwnAndTheHighestCounts() {
        cluster = energy("360 s/kWh");
        settings.put("root.ml.a", energy("720 s/kWh"));
        assertEquals(2e-4, now().allowed("root.ml.a").secondsPerJoule(), 1e-12);
        assertEquals(1e-4, now().allowed("root.ml.b").secondsPerJoule(), 1e-12);
    }

    @Test
    void nothingIsKeptToUntilANodeSpeaks() {
        draw = ClusterDraw.NOTHING;
        cluster = energy("120 kWh/day");
        assertEquals(OptionalDouble.empty(), now().clusterWatts());
        assertEquals(
                List.of("The energy budget of the cluster, 120 kWh in each day, means nothing until a node says what it"
                        + " draws."),
                now().warnings());
        assertEquals(PowerBudgetsRecord.EMPTY, overrides.now());
    }
}
