// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import io.treadle.demo.DemoException;
import io.treadle.simulator.bench.BenchOutput;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.result.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code treadle bench scheduler}. Exit code 0; 1 where a goal was missed; 2 when the bench could not run. */
public final class SchedulerMain {
    private static final int CONTAINERS = 20_000;

    private SchedulerMain() {}

    public static void main(String[] arguments) {
        int exit;
        try {
            exit = run(SchedulerOptions.parse(List.of(arguments)), CONTAINERS, System.out);
        } catch (DemoException | InputException e) {
            System.out.println("treadle: " + e.getMessage());
            exit = 2;
        }
        System.out.flush();
        System.exit(exit);
    }

    /** @param containers of a window */
    static int run(SchedulerOptions options, int containers, PrintStream out) {
        if (options.help()) {
            out.print(SchedulerOptions.USAGE);
            return 0;
        }
        directory(options.out());
        SchedulerResult result = new SchedulerBench(options, containers, line -> {
                    out.println(line);
                    out.flush();
                })
                .run();
        BenchOutput.write(
                options.out(),
                Map.of("bench.html", SchedulerPage.html(result), "windows.csv", result.windowsCsv()),
                result.compared());
        for (List<List<String>> rows : List.of(
                result.allocationRows(),
                result.heartbeatRows(),
                result.holdRows(),
                result.onceRows(),
                result.pageRows(),
                result.roundRows(),
                result.heapRows())) {
            out.print("\n" + TextTable.of(rows));
        }
        out.println("\n" + result.explained());
        result.missed().forEach(missed -> out.println("missed: " + missed));
        out.println("written to " + options.out());
        return result.missed().isEmpty() ? 0 : 1;
    }

    private static void directory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new DemoException(
                    "--out is '" + directory + "', must be a directory that can be made: " + e.getMessage() + ".", e);
        }
    }
}
