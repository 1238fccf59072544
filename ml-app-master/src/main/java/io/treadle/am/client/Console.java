// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Where the command line writes to.
 *
 * @param out results
 * @param err messages and progress
 * @param terminal whether {@code err} is a terminal, whose last line can be rewritten
 */
record Console(PlainStream out, PlainStream err, boolean terminal) {
    Console(PrintStream out, PrintStream err, boolean terminal) {
        this(new PlainStream(out), new PlainStream(err), terminal);
    }

    // Hadoop 3.5.0 runs on JDK 17, where a null console is the sign that there is no terminal.
    @SuppressWarnings("SystemConsoleNull")
    static Console system() {
        String kind = System.getenv().getOrDefault("TERM", "dumb");
        return new Console(System.out, System.err, System.console() != null && !kind.equals("dumb"));
    }

    /** Runs Hadoop's reader of logs, which knows no place to write to but the process's own output. */
    int showLogs(Callable<Integer> reader) throws Exception {
        if (!terminal) {
            return reader.call();
        }
        PrintStream before = System.out;
        try (PrintStream shown = PlainStream.ofLogs(before)) {
            System.setOut(shown);
            return reader.call();
        } finally {
            System.setOut(before);
        }
    }

    /** Whether drawings may use more than ASCII: on a terminal whose locale says UTF-8. */
    boolean drawsUnicode() {
        return terminal && drawsUnicode(System.getenv());
    }

    static boolean drawsUnicode(Map<String, String> environment) {
        return Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .map(value -> value.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8"))
                .orElse(false);
    }
}
