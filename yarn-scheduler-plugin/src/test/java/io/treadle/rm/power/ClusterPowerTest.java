// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static io.treadle.rm.power.Records.ADA;
import static io.treadle.rm.power.Records.container;
import static io.treadle.rm.power.Records.gpu;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.wire.BudgetUseRecord;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.StandingClock;
import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.PowerLimit;
import io.treadle.rm.sleep.Sleeping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterPowerTest {
    private static final BudgetQueues QUEUES = new BudgetQueues() {
        @Override
        public Set<String> paths() {
            return Set.of("root", "root.ml", "root.ml.a", "root.ml.b");
        }

        @Override
        public BudgetSetting setting(String path) {
            return path.equals("root.ml") ? watts(500) : BudgetSetting.NONE;
        }

        @Override
        public Set<String> named() {
            return Set.of("root.ml");
        }
    };

    private static BudgetSetting watts(double watts) {
        return new BudgetSetting(Optional.of(new PowerLimit(watts, false)), EnergyBudget.NONE);
    }

    private final StandingClock clock = new StandingClock();
    private final PowerAccounts accounts = new PowerAccounts(Records.owners(), clock);
    private final GridCarbon carbon = new GridCarbon("");
    private final EnergyUse use = new EnergyUse(accounts, carbon, clock);
    private final List<BudgetUseRecord> kept = new ArrayList<>();
    private final List<String> observed = new ArrayList<>();
    private OptionalLong samples = OptionalLong.of(200);
    private Optional<Error> trouble = Optional.empty();
    private final ClusterPower power = new ClusterPower(
            accounts,
            new PowerBudgets(watts(700), QUEUES, new MemoryOverrides(), accounts::draw, use, () -> {}),
            use,
            carbon,
            Sleeping.NONE,
            record -> kept.add(record.get()),
            job -> samples,
            (watts, budget, joules) -> {
                trouble.ifPresent(error -> {
                    throw error;
                });
                observed.add(watts + " of " + budget.orElse(0) + ", " + joules);
            },
            clock);

    /** It draws 650 W, and can draw 750. */
    private static NodeRecord node() {
        return new NodeRecord(
                "n1",
                1,
                List.of(gpu(0, 300, 400, container(ADA, 2))),
                Optional.of(new NodePower(650, "model", 0, 100_000, 20_000, Map.of(container(ADA, 2), 80_000L), 0)));
    }

    private PowerReport report() {
        return power.report(List.of("root.ml.a", "root.ml.b"));
    }

    @Test
    void everyTickIsObservedAndRemembered() {
        power.tick();
        accounts.seen("n1", node());
        clock.set(10);
        power.tick();
        assertEquals(List.of("0.0 of 700.0, 0.0", "650.0 of 700.0, 100.0"), observed);
        assertEquals(
                new PowerHistory.Sample(10_000, 650, OptionalDouble.of(700), Map.of("root.ml.a", 300.0)),
                power.history().lastHour().get(1));
    }

    @Test
    void whatWasUsedIsWrittenDownOnceAMinute() {
        for (int second = 0; second <= 120; second += 10) {
            clock.set(second);
            power.tick();
        }
        assertEquals(2, kept.size());
    }

    /** What is thrown out of a tick would end all ticks to come. */
    @Test
    void errorInOneTickIsNotTheEndOfAll() {
        trouble = Optional.of(new OutOfMemoryError("of a test"));
        power.tick();
        trouble = Optional.empty();
        power.tick();
        assertEquals(1, observed.size());
    }

    @Test
    void reportHasJobsQueuesAndTheParentWithABudget() {
        accounts.seen("n1", node());
        PowerReport report = report();
        assertEquals(750, report.draw().peakWatts());
        assertEquals(
                List.of(new JobPower(new Owner(ADA, "ada", "root.ml.a"), 300, 80, OptionalDouble.of(0.4))),
                report.jobs());
        assertEquals(
                List.of(
                        new PowerReport.Queue("root.ml", 300, OptionalDouble.of(500), Optional.empty(), 80, 1),
                        new PowerReport.Queue("root.ml.a", 300, OptionalDouble.of(500), Optional.empty(), 80, 1),
                        new PowerReport.Queue("root.ml.b", 0, OptionalDouble.of(500), Optional.empty(), 0, 0)),
                report.queues());
    }

    @Test
    void endedJobKeepsWhatItsSamplesCost() {
        accounts.seen("n1", node());
        power.jobEnded(ADA);
        samples = OptionalLong.empty();
        assertEquals(OptionalDouble.of(0.4), power.job(ADA).orElseThrow().joulesPerSample());
    }

    @Test
    void silentNodesAreNamed() {
        accounts.seen("n1", node());
        clock.set(61);
        assertEquals(List.of("Nodes that have said nothing for a minute are not counted: n1."), report().warnings());
        assertEquals(0, report().draw().watts());
    }
}
