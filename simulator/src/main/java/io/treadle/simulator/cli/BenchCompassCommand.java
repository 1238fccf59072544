// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.bench.compass.CompassBench;
import io.treadle.simulator.bench.compass.CompassOutcome;
import io.treadle.simulator.bench.compass.CompassSizes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "Writes summary.json, runs.csv and bench.html. Has a line for each goal of the simulations that was missed,"
                    + " but with --quick.",
            "With --live it runs services on an embedded Hadoop cluster instead, and holds how long their queries take to"
                    + " what the simulator foretells: treadle bench compass --live --help."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class BenchCompassCommand implements Callable<Integer> {
    private static final int TOLD_EVERY = 25;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SeedOptions seeds;

    @Option(
            names = "--out",
            defaultValue = "out/bench-compass",
            paramLabel = "DIR",
            description = "where everything goes (default: ${DEFAULT-VALUE})")
    private Path out;

    @Override
    public Integer call() {
        seeds.check();
        CompassBench bench = new CompassBench(
                out, seeds.first(), seeds.count(), seeds.isQuick() ? CompassSizes.QUICK : CompassSizes.USUAL);
        PrintWriter err = spec.commandLine().getErr();
        CompassOutcome outcome =
                bench.run(seeds.threads(CompassBench.MOST_REQUESTS), line -> SeedOptions.tell(err, line), runs -> {
                    if (runs % TOLD_EVERY == 0) {
                        SeedOptions.tell(err, String.format(Locale.ROOT, "%,d simulations are done", runs));
                    }
                });
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + outcome.tables());
        text.println("written to " + out);
        // Little work says nothing of goals either.
        List<String> missed = seeds.isQuick() ? List.of() : outcome.missed();
        missed.forEach(line -> text.println("missed: " + line));
        text.flush();
        // Other seeds draw other work, with which a goal may be missed: the bench has done what it was asked for.
        return 0;
    }
}
