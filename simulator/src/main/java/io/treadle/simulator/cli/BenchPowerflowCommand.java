// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.bench.powerflow.PowerBench;
import io.treadle.simulator.bench.powerflow.PowerSizes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle bench powerflow}. */
@Command(
        name = "powerflow",
        description = {
            "Mean job completion time at equal energy: powerflow beside Tiresias, FIFO, elastic sharing and others, each with"
                    + " power caps chosen by Zeus, beside the published rule of PowerFlow, and with profiles that were"
                    + " measured with noise; over seeds. And how long a plan takes. Takes about two minutes on two cores.",
            "Writes summary.json, frontiers.csv and bench.html."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class BenchPowerflowCommand implements Callable<Integer> {
    private static final long SECOND = 1_000_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SeedOptions seeds;

    @Option(
            names = "--out",
            defaultValue = "out/bench-powerflow",
            paramLabel = "DIR",
            description = "where everything goes (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(
            names = "--philly",
            paramLabel = "FILE",
            description =
                    "ElasticFlow's list of Philly's jobs (philly_103959.csv of pkusys/ElasticFlow): it is replayed too, at"
                            + " loads of 0.7 and 1.1 on 64 and 512 GPUs, which takes some ten minutes more on two cores; left out without")
    private @Nullable Path philly;

    @Override
    public Integer call() {
        seeds.check();
        PowerSizes sizes = seeds.isQuick() ? PowerSizes.QUICK : PowerSizes.USUAL;
        PrintWriter err = spec.commandLine().getErr();
        String tables = new PowerBench(out, seeds.first(), seeds.count(), sizes, Optional.ofNullable(philly))
                .run(seeds.threads(sizes.jobs()), new Progress(err), line -> SeedOptions.tell(err, line));
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + tables);
        text.println("written to " + out);
        text.flush();
        return 0;
    }

    /** A line now and then. */
    private static final class Progress implements PowerBench.Watcher {
        private static final long EVERY_NANOS = 10 * SECOND;

        private final PrintWriter err;
        private int all;
        private long told = System.nanoTime();

        Progress(PrintWriter err) {
            this.err = err;
        }

        @Override
        public void begins(int runs) {
            all = runs;
            err.printf(Locale.ROOT, "%,d simulations%n", runs);
            err.flush();
        }

        @Override
        public void done(int runs) {
            if (System.nanoTime() - told > EVERY_NANOS) {
                told = System.nanoTime();
                err.printf(Locale.ROOT, "%,d of %,d simulations are done%n", runs, all);
                err.flush();
            }
        }
    }
}
