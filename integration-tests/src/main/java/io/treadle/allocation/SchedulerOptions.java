// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What was asked for on the command line.
 *
 * @param nodes sizes of the cluster, at least one
 * @param windows how many measured windows of ours in {@code busy}; {@code idle} has three times as many, {@code same} half
 * @param out where everything goes
 * @param help whether only the usage is wanted
 */
record SchedulerOptions(List<Integer> nodes, int windows, Path out, boolean help) {
    private static final int LEAST_NODES = 50;
    private static final int MOST_NODES = 20_000;

    static final String USAGE =
            """
            usage: treadle bench scheduler [--nodes N[,N…]] [--windows N] [--out DIR] [--help]

            What the scheduler costs a ResourceManager: allocations per second and heartbeats of nodes beside stock
            CapacityScheduler, with no job of Treadle's (idle) and with 1,000 of which 800 wait (busy; stock has 200 plain
            applications in the place of those that run), asynchronous scheduling off and on; how long a gang of 8 and of
            512 holds the scheduler's lock; heap for each node and job; how long it takes to read a page of ours. On fewer
            than 400 nodes there are fewer jobs. Both know the types of resources that Treadle can use; what those cost
            stock is measured apart (gpu: yarn.io/gpu alone; types: all four; beside memory and vcores alone).
            Two processes with a ResourceManager each, stock and ours, take turns, so that what else the machine does meets
            both: a window of 20,000 containers here, then the same there, compared with stock's before and after it; without
            jobs by a twentieth of a window, and sixteen times with new processes (gpu and types four times). Ratios are medians of all windows.

              --nodes N    sizes of the cluster, 50 to 20000, separated by commas (default 2000,10000)
              --windows N  how many windows of busy, 3 to 99; idle has three times as many (default 21)
              --out DIR    where bench.html, windows.csv and summary.json go (default out/bench-scheduler)

            It takes about 100 minutes for 2,000 nodes, and 8 GB of memory. Exit code 0; 1 where a goal is missed; 2 for wrong input.
            """;

    SchedulerOptions {
        nodes = List.copyOf(nodes);
    }

    /** @throws DemoException if an argument is unknown or its value is wrong */
    static SchedulerOptions parse(List<String> arguments) {
        SchedulerOptions options =
                new SchedulerOptions(List.of(2_000, 10_000), 21, Path.of("out", "bench-scheduler"), false);
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            options = switch (argument) {
                case "--nodes" ->
                    new SchedulerOptions(
                            sizes(value(arguments, ++i, argument)), options.windows, options.out, options.help);
                case "--windows" ->
                    new SchedulerOptions(
                            options.nodes,
                            whole(value(arguments, ++i, argument), argument, 3, 99),
                            options.out,
                            options.help);
                case "--out" ->
                    new SchedulerOptions(
                            options.nodes, options.windows, Path.of(value(arguments, ++i, argument)), options.help);
                case "--help", "-h" -> new SchedulerOptions(options.nodes, options.windows, options.out, true);
                default ->
                    throw new DemoException("unknown argument '" + argument
                            + "', must be one of --nodes, --windows, --out, --help.\nMaybe see 'treadle bench scheduler"
                            + " --help'.");
            };
        }
        return options;
    }

    private static List<Integer> sizes(String value) {
        List<Integer> sizes = new ArrayList<>();
        for (String size : value.split(",", -1)) {
            sizes.add(whole(size, "--nodes", LEAST_NODES, MOST_NODES));
        }
        return sizes.stream().sorted().distinct().toList();
    }

    private static int whole(String value, String name, int least, int most) {
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
            throw new DemoException(name + " has no value.\nMaybe see 'treadle bench scheduler --help'.");
        }
        return arguments.get(index);
    }
}
