// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of benches that simulate what is drawn from several seeds. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class SeedOptions {
    private static final int MOST_SEEDS = 1000;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "work is drawn from it and those that follow (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--seeds",
            defaultValue = "10",
            paramLabel = "N",
            description = "from how many seeds (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description = "how many simulations at the same time (default: one for each core)")
    private @Nullable Integer parallel;

    @Option(
            names = "--quick",
            description = "a look at everything with little work, in seconds: its figures say nothing")
    private boolean quick;

    /** @throws InputException if a value is out of its bounds */
    void check() {
        if (seeds < 2 || seeds > MOST_SEEDS) {
            throw new InputException("--seeds is '" + seeds + "', must be from 2 to " + MOST_SEEDS + ".");
        }
        if (seed < 0) {
            throw new InputException("--seed is '" + seed + "', must be 0 or above.");
        }
    }

    long first() {
        return seed;
    }

    int count() {
        return seeds;
    }

    boolean isQuick() {
        return quick;
    }

    /**
     * How many simulations run at the same time.
     *
     * @param jobs of the largest of them
     */
    int threads(long jobs) {
        return Parallelism.of(parallel, jobs, false);
    }

    /** Says a line at once. */
    static void tell(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
