// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import picocli.CommandLine.Command;

/** {@code treadle bench}: what we measure ourselves by. */
@Command(
        name = "bench",
        description = "Measures Treadle beside what others have published.",
        mixinStandardHelpOptions = true,
        subcommands = {BenchSimulatorCommand.class, BenchSynergyCommand.class})
final class BenchCommand {}
