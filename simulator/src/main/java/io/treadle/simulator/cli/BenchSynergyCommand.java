// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.bench.synergy.SynergyBench;
import io.treadle.simulator.bench.synergy.SynergySizes;
import io.treadle.simulator.input.InputException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle bench synergy}. */
@Command(
        name = "synergy",
        description = {
            "Runs the work of Synergy's experiments under GPU-proportional shares, Synergy's published rules and ours,"
                    + " in its simulator and in ours, over loads, mixes, CPUs per GPU and seeds; without each part of"
                    + " ours; and times a round. Takes about six minutes on two cores.",
            "Writes summary.json, runs.csv, bench.md and bench.html, and keeps lists, clusters and runs: called again,"
                    + " it does what is not done.",
            "With --live it runs on an embedded Hadoop cluster instead, and holds what jobs do there to what the"
                    + " simulator foretells: treadle bench synergy --live --help."
        },
        footer = "Exit code 0; 1 where a figure that Synergy's artifact is known to give does not come out; 2 for wrong"
                + " input.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class BenchSynergyCommand implements Callable<Integer> {
    private static final int MOST_SEEDS = 1000;
    private static final int NOT_SOUND = 1;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seed",
            defaultValue = "" + SynergyBench.SEED,
            paramLabel = "N",
            description = "lists are drawn from it; figures of Synergy's artifact are known for 42 (default:"
                    + " ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--seeds",
            defaultValue = "10",
            paramLabel = "N",
            description =
                    "from how many seeds, --seed and those that follow, work is drawn of which is told how sure its"
                            + " figures are (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--deployments",
            paramLabel = "DIR",
            description = "a directory with the lists of Synergy's deployments, static32….csv and dynamic32….csv, which"
                    + " cannot be drawn anew; without it they are left out")
    private @Nullable Path deployments;

    @Option(
            names = "--out",
            defaultValue = "out/bench-synergy",
            paramLabel = "DIR",
            description = "where everything goes (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description = "how many simulations at the same time (default: one for each core)")
    private @Nullable Integer parallel;

    @Option(names = "--again", description = "run also what is done already")
    private boolean again;

    @Option(
            names = "--thorough",
            description =
                    "everything: all loads and seeds of all work, and allocations where they say little; takes three"
                            + " times as long")
    private boolean thorough;

    @Option(names = "--quick", description = "a look at everything with few jobs, in seconds: its figures say nothing")
    private boolean quick;

    @Override
    public Integer call() {
        if (seeds < 2 || seeds > MOST_SEEDS) {
            throw new InputException("--seeds is '" + seeds + "', must be from 2 to " + MOST_SEEDS + ".");
        }
        long most = Integer.MAX_VALUE - MOST_SEEDS;
        if (seed < 0 || seed > most) {
            throw new InputException("--seed is '" + seed + "', must be from 0 to " + most + ".");
        }
        if (quick && thorough) {
            throw new InputException("--quick and --thorough exclude each other: give one of them.");
        }
        SynergySizes sizes = quick ? SynergySizes.QUICK : thorough ? SynergySizes.THOROUGH : SynergySizes.USUAL;
        int threads = Parallelism.of(parallel, sizes.jobs(), false);
        PrintWriter err = spec.commandLine().getErr();
        SynergyBench.Report report = new SynergyBench(out, (int) seed, seeds, sizes, Optional.ofNullable(deployments))
                .run(threads, again, new SweepProgress(err, Boolean.getBoolean("treadle.terminal")), line -> {
                    err.println(line);
                    err.flush();
                });
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + report.tables());
        text.println("written to " + out);
        text.flush();
        report.wrong().forEach(err::println);
        err.flush();
        return report.wrong().isEmpty() ? 0 : NOT_SOUND;
    }
}
