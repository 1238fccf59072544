// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Plugins;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say how a run goes, whatever the policy. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class EngineOptions {
    @Option(
            names = "--placement",
            paramLabel = "NAME",
            description =
                    "first-fit, best-fit, free-gpu, consolidate, fgd, dot-product, packed, buddy, balanced, or auto: what"
                            + " suits the allocation (default: auto; as it has it under --compat)")
    private @Nullable String placement;

    @Option(
            names = "--preemption",
            defaultValue = "off",
            paramLabel = "on|off",
            description = "whether running jobs make way for others; between queues with capacities, those that their"
                    + " queue holds beyond its guarantee (default: ${DEFAULT-VALUE})")
    private String preemption;

    @Option(
            names = "--migration",
            defaultValue = "off",
            paramLabel = "on|off",
            description = "whether, when a job has ended, jobs of fewer than 4 GPUs on a node move to where they fit"
                    + " tighter (default: ${DEFAULT-VALUE})")
    private String migration;

    @Mixin
    private CostOptions costs;

    @Mixin
    private EnergyOptions energy;

    @Option(
            names = "--jobs",
            paramLabel = "FROM:TO",
            description = "measure only the jobs with these ids; the run ends with them")
    private @Nullable String jobs;

    @Option(
            names = "--round",
            defaultValue = "300",
            paramLabel = "SECONDS",
            description = "length of a round where decisions come in rounds (default: ${DEFAULT-VALUE})")
    private double round;

    @Option(
            names = "--first-round",
            defaultValue = "auto",
            paramLabel = "auto|SECONDS",
            description = "when the first round is (default: ${DEFAULT-VALUE})")
    private String firstRound;

    @Option(
            names = "--decide-every",
            paramLabel = "SECONDS",
            description =
                    "decide at multiples of this time alone, whatever comes or goes between them (default: as soon"
                            + " as something does)")
    private @Nullable Double decideEvery;

    @Option(
            names = "--compat",
            paramLabel = "NAME",
            description = "agree to the digit with a published simulator: helios, synergy, analysim, muri")
    private @Nullable String compat;

    @Option(
            names = "--plugin",
            split = ",",
            paramLabel = "JAR",
            description = "jars with policies of your own (docs/guide/own-policy.md)")
    private List<Path> plugins = List.of();

    /** @throws io.treadle.simulator.input.InputException if a value is not one of those that there are */
    SimulationOptions options() {
        Compat rules = compat == null ? Compat.NONE : Compat.of(compat);
        SimulationOptions options = energy.of(new SimulationOptions(
                rules,
                placement == null ? rules.defaultPlacement() : placement,
                Values.onOff("--preemption", preemption),
                Values.onOff("--migration", migration),
                jobs == null ? MeasuredJobs.ALL : MeasuredJobs.parse(jobs),
                Values.milliseconds("--round", round),
                Values.firstRound(firstRound),
                costs.of(rules),
                Plugins.load(plugins)));
        return decideEvery == null ? options : options.decidingEvery(decideEveryMs(decideEvery, rules));
    }

    private static long decideEveryMs(double seconds, Compat rules) {
        long ms = Values.milliseconds("--decide-every", seconds);
        if (rules != Compat.NONE) {
            throw new InputException("--decide-every is '" + seconds + "', but --compat " + rules.text()
                    + " decides when its simulator does.");
        }
        return ms;
    }
}
