// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.core.plan.BrokenPlanException;
import io.treadle.simulator.check.BrokenRuleException;
import io.treadle.simulator.input.InputException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of the simulator. */
@Command(
        name = "treadle",
        subcommands = {
            SimulateCommand.class,
            GenerateCommand.class,
            SweepCommand.class,
            PlanCommand.class,
            ExportCommand.class,
            BenchCommand.class
        })
public final class SimulatorMain {
    private static final int NOT_SOUND = 1;
    private static final int WRONG_INPUT = 2;

    private SimulatorMain() {}

    public static void main(String[] arguments) {
        System.exit(run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                arguments));
    }

    /** @return the exit code: 0, 1 where a result is not sound, or 2 where an argument or a file cannot be used */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commands = new CommandLine(new SimulatorMain());
        if (isOfQueries(arguments)) {
            commands.getCommandSpec().removeSubcommand("simulate");
            commands.addSubcommand(new SimulateQueriesCommand());
        }
        commands.setOut(out);
        commands.setErr(err);
        commands.setParameterExceptionHandler((e, args) -> {
            err.println("treadle: " + message(e));
            err.println("Maybe see '" + name(e) + " --help'.");
            return WRONG_INPUT;
        });
        commands.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof InputException) {
                err.println("treadle: " + e.getMessage());
                return WRONG_INPUT;
            }
            if (e instanceof BrokenRuleException) {
                err.println("treadle: a check failed " + e.getMessage());
                return NOT_SOUND;
            }
            if (e instanceof BrokenPlanException) {
                err.println("treadle: " + e.getMessage() + ".");
                return NOT_SOUND;
            }
            throw e;
        });
        try {
            return commands.execute(arguments);
        } catch (OutOfMemoryError e) {
            err.println("treadle: the " + (Runtime.getRuntime().maxMemory() >> 20)
                    + " MiB that the simulator may take are not enough for what it reads.");
            err.println("Maybe a file is not what it seems to be, or has a double quote that is not closed; else allow"
                    + " more: TREADLE_HEAP=8g treadle …");
            return WRONG_INPUT;
        }
    }

    /** {@code treadle simulate} has other options where it simulates queries. */
    private static boolean isOfQueries(String... arguments) {
        return arguments.length > 0
                && arguments[0].equals("simulate")
                && Arrays.stream(arguments)
                        .anyMatch(each -> each.equals("--workflows") || each.startsWith("--workflows="));
    }

    private static String message(CommandLine.ParameterException e) {
        Set<String> commands = e.getCommandLine().getSubcommands().keySet();
        return e instanceof CommandLine.UnmatchedArgumentException unmatched
                        && !unmatched.isUnknownOption()
                        && !commands.isEmpty()
                ? "unknown command '" + name(e) + " " + unmatched.getUnmatched().get(0) + "', must be one of: "
                        + String.join(", ", commands) + "."
                : String.valueOf(e.getMessage());
    }

    /** Of the command, with those above it. */
    private static String name(CommandLine.ParameterException e) {
        return e.getCommandLine().getCommandSpec().qualifiedName();
    }
}
