// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The runner's log: one line a fact, on stderr, which is the container's {@code runner.log}. */
final class RunnerLog {
    private RunnerLog() {}

    static void say(String line) {
        System.err.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + line);
    }
}
