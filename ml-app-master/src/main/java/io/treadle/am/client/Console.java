// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where the command line writes to.
 *
 * @param out results
 * @param err messages and progress
 * @param terminal whether {@code err} is a terminal, whose last line can be rewritten
 */
record Console(PrintStream out, PrintStream err, boolean terminal) {
    // Hadoop 3.5.0 runs on JDK 17, where a null console is the sign that there is no terminal.
    @SuppressWarnings("SystemConsoleNull")
    static Console system() {
        String kind = System.getenv().getOrDefault("TERM", "dumb");
        return new Console(System.out, System.err, System.console() != null && !kind.equals("dumb"));
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
