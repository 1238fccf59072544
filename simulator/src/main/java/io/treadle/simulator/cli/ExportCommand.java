// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.Pseudonyms;
import io.treadle.simulator.trace.Trace;
import io.treadle.simulator.trace.TraceFile;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle export}. */
@Command(
        name = "export",
        description =
                "Writes the jobs of any trace that is known as a trace of our own format, with when they really ran.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class ExportCommand implements Callable<Integer> {
    private static final int SALT_BYTES = 32;
    private static final int SHORTEST_SALT = 8;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TraceOptions trace;

    @Option(
            names = "--anonymize",
            description = "give jobs, users and queues other names, and begin with the first submission")
    private boolean anonymize;

    @Option(names = "--keep-queues", description = "with --anonymize: leave the queues their names")
    private boolean keepQueues;

    @Option(
            names = "--salt",
            paramLabel = "TEXT",
            description = "with --anonymize: same salt, same names; who has it can find out names by trying (default:"
                    + " drawn anew and forgotten)")
    private @Nullable String salt;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "a file such as trace.csv or trace.csv.gz")
    private Path out;

    @Override
    public Integer call() {
        if (!anonymize && (salt != null || keepQueues)) {
            throw new InputException((salt != null ? "--salt" : "--keep-queues") + " is for --anonymize.");
        }
        if (salt != null && salt.length() < SHORTEST_SALT) {
            throw new InputException("--salt is '" + salt + "', must be at least " + SHORTEST_SALT
                    + " characters, or anybody could try it out.");
        }
        Trace told = trace.told();
        Trace written = anonymize ? new Pseudonyms(salt()).of(told, keepQueues) : told;
        List<String> lost = TraceFile.write(out, written.jobs());
        PrintWriter err = spec.commandLine().getErr();
        told.notes().forEach(err::println);
        told.skipped().forEach(err::println);
        lost.forEach(err::println);
        err.flush();
        long ran =
                written.jobs().stream().filter(job -> job.history().isPresent()).count();
        PrintWriter text = spec.commandLine().getOut();
        text.printf(
                Locale.ROOT,
                "%,d jobs of format %s, %,d with when they really ran, written to %s%n",
                written.jobs().size(),
                told.format(),
                ran,
                out);
        text.flush();
        return 0;
    }

    private byte[] salt() {
        if (salt != null) {
            return salt.getBytes(StandardCharsets.UTF_8);
        }
        byte[] drawn = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(drawn);
        return drawn;
    }
}
