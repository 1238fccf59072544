// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.replay.Watcher;
import java.io.PrintWriter;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Shows how far the runs of a directory are, policy by policy. */
final class ProgressLines implements Watcher {
    private final PrintWriter out;
    private @Nullable ProgressLine current;

    ProgressLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public LongConsumer begins(String policy, long jobs) {
        current = new ProgressLine(out, Boolean.getBoolean("treadle.terminal"), policy, jobs);
        return current;
    }

    @Override
    public void done() {
        if (current != null) {
            current.done();
        }
    }

    @Override
    public void says(String line) {
        out.println(line);
        out.flush();
    }
}
