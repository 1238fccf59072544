// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * What was asked for on the command line.
 *
 * @param policies policies to run, in this order
 * @param report directory for {@code demo.json} and {@code demo.html}
 * @param keep whether the cluster stays up at the end
 * @param seed from which arrivals and lengths are drawn
 * @param torch whether to run the PyTorch demo instead
 * @param servers whether to run the demo of parameter servers instead
 * @param serve whether to run the demo of services instead
 * @param help whether only the usage is wanted
 */
record DemoOptions(
        List<String> policies,
        Path report,
        boolean keep,
        long seed,
        boolean torch,
        boolean servers,
        boolean serve,
        boolean help) {
    static final String BASELINE = "fifo+proportional";
    static final String USAGE =
            """
            usage: treadle demo [--policy P[,P...]] [--report DIR] [--keep] [--seed N] [--torch | --ps | --serve]
                                [--help]

              --policy P[,P...]  policies to run before fifo+proportional (default srtf+synergy-balanced)
              --report DIR       where demo.json and demo.html go (default out/demo)
              --keep             leave the cluster up at the end, until Ctrl-C
              --seed N           draw arrivals and lengths of the jobs from N (default: a random one, shown at the start)
              --torch            real PyTorch: two processes train on scikit-learn's digits, one is killed and resumes
              --ps               real PyTorch with workers and parameter servers, whose numbers the scheduler changes
              --serve            real models answer queries on the cluster while a job trains there: one load under the
                                 policies compass, hash and jit
            """;

    private static final String POLICY = "srtf+synergy-balanced";
    private static final long SEEDS = 1_000_000;

    DemoOptions {
        policies = List.copyOf(policies);
    }

    /** @throws DemoException if an argument is unknown or its value is wrong */
    static DemoOptions parse(List<String> arguments) {
        List<String> policies = List.of(POLICY, BASELINE);
        Path report = Path.of("out", "demo");
        boolean keep = false;
        boolean torch = false;
        boolean servers = false;
        boolean serve = false;
        boolean help = false;
        long seed = ThreadLocalRandom.current().nextLong(SEEDS);
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--policy" -> policies = policies(value(arguments, ++i, argument));
                case "--report" -> report = Path.of(value(arguments, ++i, argument));
                case "--seed" -> seed = seed(value(arguments, ++i, argument));
                case "--keep" -> keep = true;
                case "--torch" -> torch = true;
                case "--ps" -> servers = true;
                case "--serve" -> serve = true;
                case "--help", "-h" -> help = true;
                default ->
                    throw new DemoException("unknown argument '" + argument
                            + "'.\nMaybe one of --policy, --report, --keep, --seed, --torch, --ps, --serve, --help.");
            }
        }
        if (Stream.of(torch, servers, serve).filter(wanted -> wanted).count() > 1) {
            throw new DemoException(
                    "--torch, --ps and --serve are demos of their own, must be one at most.\nMaybe one after the other.");
        }
        return new DemoOptions(policies, report, keep, seed, torch, servers, serve, help);
    }

    private static String value(List<String> arguments, int index, String name) {
        if (index >= arguments.size() || arguments.get(index).startsWith("--")) {
            throw new DemoException(name + " has no value.\n" + "Maybe see 'treadle demo --help'.");
        }
        return arguments.get(index);
    }

    private static long seed(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new DemoException("--seed is '" + text + "', must be a whole number of at most 18 digits.");
        }
        return Long.parseLong(text);
    }

    /** The named policies, and the baseline last. */
    private static List<String> policies(String text) {
        List<String> named = new ArrayList<>();
        for (String policy : text.split(",", -1)) {
            if (!policy.matches("[a-z0-9-]+(\\+[a-z0-9-]+)?")) {
                throw new DemoException("--policy names '" + policy
                        + "', must be an order and an allocation.\nMaybe srtf+synergy-balanced or fifo+synergy-tune.");
            }
            if (!policy.equals(BASELINE) && !named.contains(policy)) {
                named.add(policy);
            }
        }
        named.add(BASELINE);
        return named;
    }
}
