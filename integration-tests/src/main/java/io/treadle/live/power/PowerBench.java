// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoResult;
import io.treadle.demo.Screen;
import io.treadle.rm.scheduler.TreadleScheduler;
import io.treadle.simulator.bench.Machine;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Learns the models, sets the budget, runs the mix and foretells it, on a cluster that is up. */
final class PowerBench {
    static final String POLICY = "powerflow";

    private final PowerMix mix;
    private final Machine machine;
    private final Screen screen;

    PowerBench(PowerMix mix, Machine machine, Screen screen) {
        this.mix = mix;
        this.machine = machine;
        this.screen = screen;
    }

    PowerResult run(EmbeddedCluster cluster) throws InterruptedException {
        PowerRun run = new PowerRun(cluster, screen);
        screen.line("\n A job of each model: caps are measured while it trains, and each number of GPUs it grows to");
        PowerOutcome learned = run.run(mix.learning(), POLICY);
        Map<String, ProfileRecord> profiles = learned.profiles();
        screen.line(String.format(
                Locale.ROOT,
                "\n %d jobs of known models under a budget of %.0f W, %.0f %% of the peak",
                mix.mix().size(),
                mix.budgetWatts(),
                mix.budgetShare() * 100));
        budget(cluster, mix.budgetWatts());
        PowerOutcome live = run.run(mix.mix(), POLICY);
        List<Double> arrivals =
                live.jobs().stream().map(DemoResult.Job::arrivalSeconds).toList();
        PowerForecast.Word foretold =
                new PowerForecast(profiles).of(mix.mix(), arrivals, live.startUps(), POLICY, mix.budgetWatts());
        return new PowerResult(mix, machine, profiles, learned, live, foretold);
    }

    private static void budget(EmbeddedCluster cluster, double watts) {
        TreadleScheduler scheduler =
                (TreadleScheduler) cluster.resourceManager().getResourceScheduler();
        try {
            scheduler.power().budgets().setCluster(Optional.of(OptionalDouble.of(watts)));
        } catch (IOException e) {
            throw new DemoException("the budget cannot be set: " + e.getMessage(), e);
        }
    }
}
