// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.List;

/**
 * What was asked for on the command line.
 *
 * @param out where everything goes
 * @param quick whether only a look is wanted
 * @param help whether only the usage is wanted
 */
record LiveOptions(Path out, boolean quick, boolean help) {
    static final String USAGE =
            """
            usage: treadle bench synergy --live [--out DIR] [--quick] [--help]

            Starts an embedded Hadoop cluster with simulated GPUs. There it profiles each kind of worker, measures the same
            workers at every size, runs a mix of jobs under fifo+proportional and under fifo+synergy-balanced, and replays
            that mix in the simulator from the recorded profiles. Takes nine minutes or so on two cores with nothing else to
            do; needs Python 3.

              --out DIR  where summary.json, bench.md, bench.html, jobs.csv, curves.csv and profiles/ go
                         (default out/bench-synergy-live)
              --quick    a look at everything with few jobs and sizes, in two minutes: its figures say nothing

            Exit code 0; 1 where a job failed or a goal was missed; 2 for wrong input.
            """;

    /** @throws DemoException if an argument is unknown or its value is wrong */
    static LiveOptions parse(List<String> arguments) {
        Path out = Path.of("out", "bench-synergy-live");
        boolean quick = false;
        boolean help = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                // Which bench it is was for the caller to see.
                case "--live" -> {}
                case "--out" -> out = Path.of(value(arguments, ++i, argument));
                case "--quick" -> quick = true;
                case "--help", "-h" -> help = true;
                default ->
                    throw new DemoException("unknown argument '" + argument
                            + "', with --live it must be one of --out, --quick, --help.");
            }
        }
        return new LiveOptions(out, quick, help);
    }

    private static String value(List<String> arguments, int index, String name) {
        if (index >= arguments.size() || arguments.get(index).startsWith("--")) {
            throw new DemoException(name + " has no value.\nMaybe see 'treadle bench synergy --live --help'.");
        }
        return arguments.get(index);
    }
}
