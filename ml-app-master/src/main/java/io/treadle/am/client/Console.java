// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.PrintStream;

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
}
