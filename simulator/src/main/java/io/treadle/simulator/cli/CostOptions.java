// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.core.cluster.Crossing;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.input.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What it costs a job to be stopped or moved. */
final class CostOptions {
    private static final double MOST_SECONDS = 1e9;

    @Option(
            names = "--restart-seconds",
            paramLabel = "S",
            description = "what a job does before it goes on with its work when it starts again after a stop: loading,"
                    + " warming up (default: 0)")
    private @Nullable Double restart;

    @Option(
            names = "--checkpoint-seconds",
            paramLabel = "S",
            description = "a job that is stopped falls back to its last checkpoint, and takes one after each S seconds"
                    + " of work (default: 0, it loses nothing)")
    private @Nullable Double checkpoint;

    @Option(
            names = "--migration-seconds",
            paramLabel = "S",
            description = "what a job does before it goes on with its work when it has moved (default: as"
                    + " --restart-seconds)")
    private @Nullable Double migration;

    @Option(
            names = "--crossing-penalty",
            paramLabel = "X|rack=X,node=Y",
            description =
                    "how much longer jobs run on nodes of several racks, and on several nodes of one rack: 0.2 for"
                            + " a fifth longer (default: 0)")
    private @Nullable String crossing;

    /** @throws InputException if a value cannot be used, or {@code compat} has its own */
    Costs of(Compat compat) {
        double restartSeconds = seconds("--restart-seconds", restart, compat);
        if (crossing != null && compat != Compat.NONE) {
            throw hasItsOwn("--crossing-penalty", crossing, compat);
        }
        return new Costs(
                restartSeconds,
                seconds("--checkpoint-seconds", checkpoint, compat),
                migration == null ? restartSeconds : seconds("--migration-seconds", migration, compat),
                crossing == null ? Crossing.NONE : crossing(crossing));
    }

    private static Crossing crossing(String text) {
        try {
            return Crossing.parse("--crossing-penalty", text);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage() + ".", e);
        }
    }

    private static InputException hasItsOwn(String option, Object value, Compat compat) {
        return new InputException(option + " is '" + value + "', but --compat " + compat.text()
                + " has its own costs: leave one of them out.");
    }

    private static double seconds(String option, @Nullable Double value, Compat compat) {
        if (value == null) {
            return 0;
        }
        if (compat != Compat.NONE) {
            throw hasItsOwn(option, value, compat);
        }
        if (!(value >= 0 && value <= MOST_SECONDS)) {
            throw new InputException(option + " is '" + value + "', must be seconds from 0 to 1e9.");
        }
        return value;
    }
}
