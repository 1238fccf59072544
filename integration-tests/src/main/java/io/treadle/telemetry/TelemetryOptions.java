// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.List;

/**
 * What was asked for on the command line.
 *
 * @param gpus how many the node has
 * @param seconds how long CPU time is counted, s
 * @param out where everything goes
 * @param help whether only the usage is wanted
 */
record TelemetryOptions(int gpus, int seconds, Path out, boolean help) {
    static final String USAGE =
            """
            usage: treadle bench telemetry [--gpus N] [--seconds N] [--out DIR] [--help]

            How much of a core the node plugin takes that reads its GPUs once a second, follows power caps and writes each
            record to ZooKeeper: the CPU time of a process with the plugin beside that of one without. The GPUs are simulated
            and each is held by a container; what the calls of a driver cost is not in it. ZooKeeper runs in another process.
            Before, both warm up for a minute and a half: what runs often is compiled then, as in a NodeManager that has run
            for some time.

              --gpus N     how many GPUs the node has, 1 to 64 (default 8)
              --seconds N  how long CPU time is counted, 10 to 3600 (default 60)
              --out DIR    where summary.json goes (default out/bench-telemetry)

            Exit code 0; 1 where the plugin's threads take the 0.5 % of a core that are the goal, or more; 2 for wrong input.
            """;

    /** @throws DemoException if an argument is unknown or its value is wrong */
    static TelemetryOptions parse(List<String> arguments) {
        TelemetryOptions options = new TelemetryOptions(8, 60, Path.of("out", "bench-telemetry"), false);
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            options = switch (argument) {
                case "--gpus" -> options.withGpus(whole(arguments, ++i, argument, 1, 64));
                case "--seconds" -> options.withSeconds(whole(arguments, ++i, argument, 10, 3600));
                case "--out" -> options.withOut(Path.of(value(arguments, ++i, argument)));
                case "--help", "-h" -> options.withHelp();
                default ->
                    throw new DemoException("unknown argument '" + argument
                            + "', must be one of --gpus, --seconds, --out, --help.\nMaybe see 'treadle bench telemetry"
                            + " --help'.");
            };
        }
        return options;
    }

    private TelemetryOptions withGpus(int number) {
        return new TelemetryOptions(number, seconds, out, help);
    }

    private TelemetryOptions withSeconds(int number) {
        return new TelemetryOptions(gpus, number, out, help);
    }

    private TelemetryOptions withOut(Path directory) {
        return new TelemetryOptions(gpus, seconds, directory, help);
    }

    private TelemetryOptions withHelp() {
        return new TelemetryOptions(gpus, seconds, out, true);
    }

    private static int whole(List<String> arguments, int index, String name, int least, int most) {
        String value = value(arguments, index, name);
        if (value.matches("\\d{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new DemoException(
                name + " is '" + value + "', must be a whole number from " + least + " to " + most + ".");
    }

    private static String value(List<String> arguments, int index, String name) {
        if (index >= arguments.size() || arguments.get(index).startsWith("--")) {
            throw new DemoException(name + " has no value.\nMaybe see 'treadle bench telemetry --help'.");
        }
        return arguments.get(index);
    }
}
