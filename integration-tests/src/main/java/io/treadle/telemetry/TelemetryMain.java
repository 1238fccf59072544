// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.demo.DemoException;
import io.treadle.demo.QuietLogging;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.result.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code treadle bench telemetry}. Exit code 0; 1 where the goal was missed; 2 when the bench could not run. */
public final class TelemetryMain {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int WARM_UP_SECONDS = 60;
    private static final int SETTLING_SECONDS = 30;

    private TelemetryMain() {}

    public static void main(String[] arguments) throws Exception {
        int exit;
        try {
            exit = run(TelemetryOptions.parse(List.of(arguments)), System.out, WARM_UP_SECONDS, SETTLING_SECONDS);
        } catch (DemoException e) {
            System.out.println("treadle: " + e.getMessage());
            exit = 2;
        }
        System.out.flush();
        // ZooKeeper leaves threads behind that would keep the JVM alive.
        System.exit(exit);
    }

    /** @throws Exception if ZooKeeper does not start */
    static int run(TelemetryOptions options, PrintStream out, int warmUpSeconds, int settlingSeconds) throws Exception {
        if (options.help()) {
            out.print(TelemetryOptions.USAGE);
            return 0;
        }
        directory(options.out());
        QuietLogging.to(options.out().resolve("zookeeper.log"));
        out.println("a node of " + options.gpus() + " simulated GPUs: " + (warmUpSeconds + settlingSeconds)
                + " s to warm up, " + options.seconds() + " s to count");
        TelemetryResult result = new TelemetryBench(
                        options.gpus(), warmUpSeconds, settlingSeconds, options.seconds(), options.out())
                .run();
        write(options.out().resolve("summary.json"), result);
        out.print("\n" + TextTable.of(result.rows()));
        out.println(result.explained());
        out.println("written to " + options.out());
        return result.isMissed() ? 1 : 0;
    }

    private static void directory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new DemoException(
                    "--out is '" + directory + "', must be a directory that can be made: " + e.getMessage() + ".", e);
        }
    }

    private static void write(Path file, TelemetryResult result) {
        try {
            WholeFile.write(file, out -> JSON.writeValue(out, result.compared()));
        } catch (IOException e) {
            throw new DemoException("cannot write " + file + ": " + e.getMessage() + ".", e);
        }
    }
}
