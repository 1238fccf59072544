// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treadle bench}: what we measure ourselves by. */
@Command(
        name = "bench",
        description = {
            "Measures Treadle beside what others have published.",
            "In a checkout also: treadle bench telemetry, what the node plugin costs a NodeManager;",
            "treadle bench scheduler, what the scheduler costs a ResourceManager."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            BenchSimulatorCommand.class,
            BenchSynergyCommand.class,
            BenchPowerflowCommand.class,
            BenchSmdCommand.class,
            BenchCompassCommand.class
        })
@SuppressWarnings("NullAway.Init") // picocli sets the annotated field before it calls
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Called without the name of a bench. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "'" + spec.qualifiedName() + "' needs the name of a bench, must be one of: "
                        + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
