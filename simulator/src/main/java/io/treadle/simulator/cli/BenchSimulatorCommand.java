// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.bench.BenchSizes;
import io.treadle.simulator.bench.SimulatorBench;
import io.treadle.simulator.input.InputException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle bench simulator}. */
@Command(
        name = "simulator",
        description = {
            "Measures what simulations cost, each three times in a JVM of its own: lists that published simulators ran"
                    + " too, a million jobs on 10,000 nodes, and cost over jobs and nodes. Takes about ten minutes.",
            "Writes summary.json, cost.csv and bench.html, and keeps the lists that it drew."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class BenchSimulatorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "lists are drawn from it (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "out/bench-simulator",
            paramLabel = "DIR",
            description = "where results and lists go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "holds traces/ and synergy/ with the lists that others ran too (default: ../shared/data"
                    + " beside the checkout; drawn lists where it is not there)")
    private @Nullable Path data;

    @Override
    public Integer call() {
        if (data != null && !Files.isDirectory(data)) {
            throw new InputException("--data is '" + data + "', must be a directory.");
        }
        PrintWriter err = spec.commandLine().getErr();
        String tables = new SimulatorBench(out, data == null ? beside() : data, seed, BenchSizes.FULL, line -> {
                    err.println(line);
                    err.flush();
                })
                .run();
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + tables);
        text.println("written to " + out);
        text.flush();
        return 0;
    }

    private static Path beside() {
        return Path.of(System.getProperty("treadle.checkout", "."), "../shared/data")
                .normalize();
    }
}
