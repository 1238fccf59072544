// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.bench.compass.CompassBench;
import io.treadle.simulator.bench.compass.CompassSizes;
import io.treadle.simulator.input.InputException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle bench compass}. */
@Command(
        name = "compass",
        description = {
            "How fast queries of several steps are answered under compass, as published and with our rules, beside jit,"
                    + " heft and hash, over loads and seeds; what each rule is worth; how many workers do for what;"
                    + " and how long a decision takes. Takes half a minute on two cores.",
            "Writes summary.json, runs.csv and bench.html."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class BenchCompassCommand implements Callable<Integer> {
    private static final int MOST_SEEDS = 1000;
    private static final int TOLD_EVERY = 25;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seed",
            defaultValue = "" + CompassBench.SEED,
            paramLabel = "N",
            description = "queries are drawn from it and those that follow (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--seeds",
            defaultValue = "10",
            paramLabel = "N",
            description = "from how many seeds (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--out",
            defaultValue = "out/bench-compass",
            paramLabel = "DIR",
            description = "where everything goes (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description = "how many simulations at the same time (default: one for each core)")
    private @Nullable Integer parallel;

    @Option(
            names = "--quick",
            description = "a look at everything with few queries, in seconds: its figures say nothing")
    private boolean quick;

    @Override
    public Integer call() {
        if (seeds < 2 || seeds > MOST_SEEDS) {
            throw new InputException("--seeds is '" + seeds + "', must be from 2 to " + MOST_SEEDS + ".");
        }
        if (seed < 0) {
            throw new InputException("--seed is '" + seed + "', must be 0 or above.");
        }
        CompassBench bench = new CompassBench(out, seed, seeds, quick ? CompassSizes.QUICK : CompassSizes.USUAL);
        PrintWriter err = spec.commandLine().getErr();
        String tables = bench.run(Parallelism.of(parallel, MOST_SEEDS, false), line -> tell(err, line), runs -> {
            if (runs % TOLD_EVERY == 0) {
                tell(err, String.format(Locale.ROOT, "%,d simulations are done", runs));
            }
        });
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + tables);
        text.println("written to " + out);
        text.flush();
        return 0;
    }

    private static void tell(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
