// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.bench.smd.SmdBench;
import io.treadle.simulator.bench.smd.SmdSizes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle bench smd}. */
@Command(
        name = "smd",
        description = {
            "What the ends of jobs with workers and parameter servers are worth in all under smd, smd-plain and smd-menu,"
                    + " beside Optimus and equal servers and workers, over loads and seeds; how near sizes and choices of"
                    + " jobs are to the best; and how long a round takes. Takes about two minutes on two cores.",
            "Writes summary.json, runs.csv and bench.html."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class BenchSmdCommand implements Callable<Integer> {
    private static final int TOLD_EVERY = 25;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SeedOptions seeds;

    @Option(
            names = "--out",
            defaultValue = "out/bench-smd",
            paramLabel = "DIR",
            description = "where everything goes (default: ${DEFAULT-VALUE})")
    private Path out;

    @Override
    public Integer call() {
        seeds.check();
        SmdBench bench =
                new SmdBench(out, seeds.first(), seeds.count(), seeds.isQuick() ? SmdSizes.QUICK : SmdSizes.USUAL);
        PrintWriter err = spec.commandLine().getErr();
        String tables = bench.run(seeds.threads(bench.runs()), line -> SeedOptions.tell(err, line), runs -> {
            if (runs % TOLD_EVERY == 0) {
                SeedOptions.tell(
                        err, String.format(Locale.ROOT, "%,d of %,d simulations are done", runs, bench.runs()));
            }
        });
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + tables);
        text.println("written to " + out);
        text.flush();
        return 0;
    }
}
